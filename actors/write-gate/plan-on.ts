import { left } from 'fp-ts/lib/Either.js'
import type { FurtherTree, RepoPath, Tree } from '#protocol/atoms.js'
import type { TokenRef } from '#protocol/identity/sign-in.js'
import { type Refusal, type RefusalOf, refuse } from '#protocol/refusal.js'
import type { AuditNote, Touched } from '#src/domain/lore/changes.js'
import type { KernelClock } from '#src/kernel/time/clock.js'
import type { TouchedFile, WrittenTree } from '#src/ports/landing.js'
import type { Meter, Publish } from '#src/ports/records.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { BeforeWrite } from '#src/writing/batch/hooks.js'
import { makeComposition, type PlannedBatch, planBatch, type Ready } from '#src/writing/batch/plan-batch.js'
import {
  type Command,
  type ContainsCommit,
  commitNotHere,
  hasWanted,
  type PlanCommand,
} from '#src/writing/command.js'

/**
 * The one plan that dry runs and commits share. Commands are planned on a snapshot, the bytes of their files
 * are read, and the result of each write is composed once it is known which files are dirty.
 */

export interface PlanPorts {
  readonly plan: PlanCommand
  readonly containsCommit: ContainsCommit
  readonly hooks: ReadonlyArray<BeforeWrite>
  readonly nowMs: () => number
  /** The committed bytes of a file of a tree. */
  readonly read: (file: TouchedFile, tree: Tree) => Promise<Buffer | null>
  /** The trees that this host writes, beside the lore. Rights, and the arms of every write, come from the lore. */
  readonly trees: ReadonlyMap<FurtherTree, WrittenTree>
  readonly warn: (event: string, fields: object) => void
}

/** Planned writes, with the files that they touch and their bytes. */
export interface PlannedWrites {
  readonly batch: PlannedBatch<Command>
  /** Every file once, with the blob that the plan was made on. */
  readonly files: Files
  readonly bytes: ReadonlyMap<RepoPath, Buffer>
}

/**
 * Plans commands on a snapshot, in order of arrival, and reads the files that they touch. Refuses the writes to a tree
 * that takes none now; those of other trees are deferred and not concerned.
 */
export const planOn = async (
  ports: PlanPorts,
  snapshot: Snapshot,
  commands: ReadonlyArray<Command>,
): Promise<PlannedWrites> => {
  const hasThem = await Promise.all(
    commands.map(({ wants }) => hasWanted(ports.containsCommit, wants, snapshot)),
  )
  const nowMs = ports.nowMs()
  const batch = planBatch(
    snapshot,
    commands,
    (command, at) => (hasThem[at] === true ? ports.plan(command, snapshot, nowMs) : left(commitNotHere())),
    ports.hooks,
  )
  for (const fault of batch.faults) ports.warn('plan_failed', fault)
  return batch.tree === 'lore'
    ? withBytes(ports, batch)
    : withFurtherBytes(ports, snapshot, { ...batch, tree: batch.tree })
}

/** A write that no dirty file blocks, and the files after it: null where it removes one. */
export interface ComposedWrite extends Ready<Command> {
  readonly after: ReadonlyMap<RepoPath, Buffer | null>
}

/** Writes sorted by whether their files hold a person's uncommitted work. */
export interface ComposedWrites {
  readonly clean: ReadonlyArray<ComposedWrite>
  readonly dirty: ReadonlyArray<{ readonly at: number; readonly files: ReadonlyArray<RepoPath> }>
}

/** Composes the writes whose files are clean, each on the result of those before it. */
export const composeWrites = (
  { batch, bytes }: Pick<PlannedWrites, 'batch' | 'bytes'>,
  dirty: ReadonlySet<RepoPath>,
): ComposedWrites => {
  const composition = makeComposition(bytes)
  const clean: Array<ComposedWrite> = []
  const kept: Array<ComposedWrites['dirty'][number]> = []
  for (const ready of batch.ready) {
    const files = ready.set.edits.flatMap(({ path }) => (dirty.has(path) ? [path] : []))
    if (files.length > 0) kept.push({ at: ready.at, files })
    else clean.push({ ...ready, after: composition.apply(ready.set.edits) })
  }
  return { clean, dirty: kept }
}

/** A write to a tree that cannot be read, or was moved or removed while the host runs. */
export const unreadTree = (tree: FurtherTree, reason: string): RefusalOf<'SnapshotStale'> =>
  refuse(
    'SnapshotStale',
    `Nothing was written: corpora.${tree} cannot be written now (${reason}). Put the checkout right; other rows go on.`,
  )

/** A write that was committed and answered, as hooks receive it. */
export interface WriteFact {
  /** The tree whose branch has the commit; absent: the lore. */
  readonly tree?: FurtherTree
  readonly commit: string
  readonly route: string
  readonly actor: string
  readonly token?: TokenRef | undefined
  readonly intent: string
  readonly subject: string
  readonly touches: ReadonlyArray<Touched>
  readonly audit: ReadonlyArray<AuditNote>
  /** Whether notices follow it. */
  readonly hasNotices?: boolean
}

/** What runs after a write was answered. A failure is a warning: the write remains (A 4.1.4). */
export interface AfterWrite {
  readonly name: string
  readonly run: (fact: WriteFact) => void | Promise<void>
}

export interface AfterWritePorts {
  readonly afterWrite: ReadonlyArray<AfterWrite>
  /** Timers of the kernel's clock. */
  readonly after: KernelClock['after']
  readonly meter: Meter
  readonly publish: Publish
  readonly warn: (event: string, fields: object) => void
}

/** Runs every hook for every write, in order. A hook that fails or hangs does not stop the others. */
export const afterWrite = async (ports: AfterWritePorts, facts: ReadonlyArray<WriteFact>): Promise<void> => {
  if (ports.afterWrite.length === 0) return
  const limit = startLimit(ports.after)
  for (const fact of facts)
    for (const { name, run } of ports.afterWrite)
      try {
        const work = run(fact)
        if (work !== undefined) await Promise.race([work, limit.over])
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        ports.meter.count('svc_write_hook_failures_total', { hook: name })
        ports.publish('hook:failed', { hook: name, commit: fact.commit, reason })
        ports.warn('hook_failed', { hook: name, commit: fact.commit, error })
      }
  limit.end()
}

const withBytes = async (ports: PlanPorts, batch: PlannedBatch<Command>): Promise<PlannedWrites> => {
  const files = filesToTouch(batch.ready)
  return { batch, files, bytes: await bytesOf(ports, batch.tree, files) }
}

type FurtherBatch = PlannedBatch<Command> & { readonly tree: FurtherTree }

/**
 * As `withBytes`, for a batch of another tree than the lore: the tree may be another process's, away or behind, and
 * the snapshot has none of its files.
 */
const withFurtherBytes = async (
  ports: PlanPorts,
  { treeHeads }: Snapshot,
  batch: FurtherBatch,
): Promise<PlannedWrites> => {
  const { tree } = batch
  const [written, head] = [ports.trees.get(tree), treeHeads.get(tree)]
  if (written === undefined)
    return withBytes(
      ports,
      refuseReady(batch, () => unwrittenTree(tree)),
    )
  if (written.isStale())
    return withBytes(
      ports,
      refuseReady(batch, () => staleTree(tree)),
    )
  const found =
    head === undefined ? null : await written.headFiles(filesToTouch(batch.ready).map(one => one.path))
  if (head === undefined || found === null)
    return withBytes(
      ports,
      refuseReady(batch, () => unreadTree(tree, 'its HEAD cannot be read')),
    )
  const blobs = new Map(found.files.map(({ path, before }) => [path, before]))
  // Where HEAD has moved, the landing finds out, and the batch is planned again.
  const isChanged = ({ set }: Ready<Command>): boolean =>
    found.commit === head.commit && set.edits.some(({ path, before }) => blobs.get(path) !== before)
  const current = refuseReady(batch, ready => (isChanged(ready) ? changedFile(tree) : null))
  try {
    return await withBytes(ports, current)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return withBytes(
      ports,
      refuseReady(current, () => unreadTree(tree, reason)),
    )
  }
}

/** A write to a tree that is not configured, is a plain folder, or is not this host's to write. */
const unwrittenTree = (tree: FurtherTree): RefusalOf<'NoRepository'> =>
  refuse(
    'NoRepository',
    `corpora.${tree} names no git checkout that this host writes, so nothing was written. Name one in ` +
      '.svc/config.json and restart the host; where one is named, its log says why (corpus_unwritten).',
  )

/** A write to a tree whose last converge is too old. */
const staleTree = (tree: FurtherTree): RefusalOf<'SyncStale'> =>
  refuse(
    'SyncStale',
    `The last converge of corpora.${tree} is too old for writes to it. POST /sync, or fix its remote.`,
  )

/** A write that was planned on another content of its files than its tree has. */
const changedFile = (tree: FurtherTree): RefusalOf<'Overloaded'> =>
  refuse(
    'Overloaded',
    `A file of the write has changed in corpora.${tree} since it was read, so nothing was written. Read it again.`,
  )

/** The batch without the writes that are refused. */
const refuseReady = (
  batch: PlannedBatch<Command>,
  refusalOf: (ready: Ready<Command>) => Refusal | null,
): PlannedBatch<Command> => {
  const judged = batch.ready.map(ready => ({ ready, refusal: refusalOf(ready) }))
  return {
    ...batch,
    ready: judged.flatMap(({ ready, refusal }) => (refusal === null ? [ready] : [])),
    refused: [
      ...batch.refused,
      ...judged.flatMap(({ ready: { at }, refusal }) => (refusal === null ? [] : [{ at, refusal }])),
    ],
  }
}

type Files = ReadonlyArray<TouchedFile>

const filesToTouch = (ready: ReadonlyArray<Ready<Command>>): Files => {
  const files = new Map<RepoPath, TouchedFile>()
  for (const { set } of ready)
    for (const { path, before } of set.edits) if (!files.has(path)) files.set(path, { path, before })
  return [...files.values()]
}

const bytesOf = async (
  { read }: PlanPorts,
  tree: Tree,
  files: Files,
): Promise<ReadonlyMap<RepoPath, Buffer>> => {
  const bytes = new Map<RepoPath, Buffer>()
  for (const file of files) {
    const found = file.before === null ? null : await read(file, tree)
    if (found !== null) bytes.set(file.path, found)
  }
  return bytes
}

/** The most time that the next write waits for the hooks of a batch. */
const hooksLimitMs = 2_000

interface Limit {
  readonly over: Promise<never>
  readonly end: () => void
}

const startLimit = (after: KernelClock['after']): Limit => {
  let fail: (error: Error) => void = () => undefined
  const over = new Promise<never>((_, reject) => {
    fail = reject
  })
  over.catch(() => undefined)
  return {
    over,
    end: after(hooksLimitMs, () => fail(new Error('it took too long and was abandoned'))),
  }
}
