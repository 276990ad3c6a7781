import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { checkoutBlocked, headDetached, repositoryLocked } from '#actors/write-gate/adopt.js'
import type { WriteOutcome } from '#actors/write-gate/messages.js'
import { composeWrites, type PlannedWrites, type PlanPorts, planOn } from '#actors/write-gate/plan-on.js'
import { callerLeft, dirtyRefusal } from '#actors/write-gate/refusals.js'
import type { RepoPath } from '#protocol/atoms.js'
import { refuse } from '#protocol/refusal.js'
import type { TouchedFile } from '#src/ports/landing.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Admit, Command } from '#src/writing/command.js'
import { type HeadLook, type LookFailure, type LookParts, lookAtHead } from './look-at-head.js'
import { showPreview } from './show-preview.js'

/** Where a dry run looks for a person's uncommitted work. */
export interface Checked extends LookParts {
  /** The snapshot of what HEAD names at this moment; null where it could not be loaded in time. */
  readonly fresh: () => Promise<Snapshot | null>
}

export interface PreviewParts extends PlanPorts {
  /** Returns the caller, whose rights decide which lines the diff shows. */
  readonly admit: Admit
  /** Null on a plain directory. */
  readonly checked: Checked | null
}

const textOf = (bytes: Buffer | null): string | null => bytes?.toString('utf8') ?? null

/** The body of the row's dry run, with the diff of the write. */
const previewDiff = (
  { admit, nowMs }: PreviewParts,
  { batch, bytes }: PlannedWrites,
  dirty: ReadonlySet<RepoPath>,
  snapshot: Snapshot,
): WriteOutcome => {
  const { clean, dirty: kept } = composeWrites({ batch, bytes }, dirty)
  const [same] = batch.same
  const [write] = clean
  const [refused] = batch.refused
  if (refused !== undefined) return left(refused.refusal)
  if (kept[0] !== undefined) return left(dirtyRefusal(kept[0].files))
  const planned = write ?? same
  if (planned === undefined) throw new Error('a write that is alone is never deferred')
  const { command, set } = planned
  const caller = admit(command, snapshot, nowMs())
  if (isLeft(caller)) return caller
  const changes = set.edits.map(edit => ({
    path: edit.path,
    before: textOf(bytes.get(edit.path) ?? null),
    after: textOf(write?.after.get(edit.path) ?? null),
    splices: edit._tag === 'Lines' ? edit.splices : null,
  }))
  return right({ status: null, body: showPreview(set, changes, caller.right), commit: snapshot.commit })
}

const whyDisturbed = {
  'this host': 'Writes of this host came in between each time the dry run looked at the work tree.',
  'another program': 'Another program kept moving the branch while the dry run looked at the work tree.',
} as const

const reasonOf = (
  failure: Exclude<LookFailure, { readonly _tag: 'Detached' | 'Locked' | 'Blocked' }>,
): string => {
  if (failure._tag === 'Disturbed') return `${whyDisturbed[failure.by]} Try the dry run again in a second.`
  if (failure._tag === 'NoHead')
    return 'git cannot read the commit of HEAD. Fix that, then try the dry run again.'
  const why = 'reason' in failure ? failure.reason : failure._tag
  return `The work tree cannot be read (${why}). Fix that, then try the dry run again.`
}

const refusalOf = (failure: LookFailure): WriteOutcome => {
  if (failure._tag === 'Detached') return left(headDetached())
  if (failure._tag === 'Locked') return left(repositoryLocked(failure.lock))
  if (failure._tag === 'Blocked') return left(checkoutBlocked(failure.code, failure.reason))
  return left(refuse('Overloaded', reasonOf(failure)))
}

const always = (): boolean => true

const noFiles: ReadonlySet<RepoPath> = new Set()

/** Whether HEAD has the files as the plan read them. */
const isUnchanged = (files: ReadonlyArray<TouchedFile>, look: HeadLook): boolean => {
  const blobs = new Map(look.files.map(({ path, before }) => [path, before]))
  return files.every(({ path, before }) => blobs.get(path) === before)
}

/** A dry run whose caller has left. */
const dropped: WriteOutcome = left(callerLeft())

/** The dry run on one snapshot. */
interface Attempt {
  readonly show: () => WriteOutcome
  /** Whether HEAD had other content in a file of the plan at the look. */
  readonly isOutdated: boolean
}

const attemptOn = async (
  parts: PreviewParts,
  checked: Checked,
  snapshot: Snapshot,
  command: Command,
  isCallerThere: () => boolean,
): Promise<Attempt> => {
  const planned = await planOn(parts, snapshot, [command])
  const { files } = planned
  if (files.length === 0)
    return { show: () => previewDiff(parts, planned, noFiles, snapshot), isOutdated: false }
  if (!isCallerThere()) return { show: () => dropped, isOutdated: false }
  const paths = files.map(({ path }) => path)
  const look = await lookAtHead(checked, paths)
  if (isLeft(look)) return { show: () => refusalOf(look.left), isOutdated: false }
  const { dirty } = look.right
  return {
    show: () => previewDiff(parts, planned, dirty, snapshot),
    isOutdated: !isUnchanged(files, look.right),
  }
}

/**
 * Returns what a write would do at the commit that the outcome names, or why it would be refused, without the
 * gate: nothing here can write (A 1, S17). Takes no lock and delays no write. Where HEAD has other content in
 * a file of the plan by the time of the look, it plans once more, on what HEAD names then
 * (docs/spec/writes.md#dry-run-commit). Does no further step once the caller has left.
 */
export const preview = async (
  parts: PreviewParts,
  first: Snapshot,
  command: Command,
  isCallerThere: () => boolean = always,
): Promise<WriteOutcome> => {
  const { checked } = parts
  if (!isCallerThere()) return dropped
  if (checked === null) return previewDiff(parts, await planOn(parts, first, [command]), noFiles, first)
  const attempt = await attemptOn(parts, checked, first, command, isCallerThere)
  if (!attempt.isOutdated) return attempt.show()
  if (!isCallerThere()) return dropped
  const next = await checked.fresh()
  // Where writes come faster than loads there is no newer snapshot, and the first plan holds at its commit.
  if (next === null) return attempt.show()
  return (await attemptOn(parts, checked, next, command, isCallerThere)).show()
}
