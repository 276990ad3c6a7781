import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { headDetached, repositoryLocked } from '#actors/write-gate/git-refusals.js'
import type { WriteOutcome } from '#actors/write-gate/messages.js'
import { composeWrites, type PlannedWrites, type PlanPorts, planOn } from '#actors/write-gate/plan-on.js'
import { dirtyRefusal } from '#actors/write-gate/refusals.js'
import type { RepoPath } from '#protocol/atoms/path.js'
import { refuse } from '#protocol/refusal.js'
import type { Landing, LandingFailure } from '#src/ports/git/landing.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Command } from '#src/writing/command.js'
import { lookBetween } from './dirty-at.js'
import { publicDiff } from './open-diff.js'

/** Where a dry run looks for a person's uncommitted work. */
export interface Checked {
  readonly landing: Pick<Landing, 'look' | 'ended'>
  /** The snapshot of what HEAD names at this moment; null where HEAD cannot be read. */
  readonly fresh: () => Promise<Snapshot | null>
}

export interface PreviewParts extends PlanPorts {
  /** Null on a plain directory. */
  readonly checked: Checked | null
}

/** A dry run delays no write, so each of these attempts may lose to a write of this host. */
const triesMax = 24

const textOf = (bytes: Buffer | null): string | null => bytes?.toString('utf8') ?? null

/** The body of the row's dry run, with the diff of the write. */
const previewDiff = (
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
  const set = write?.set ?? same?.set
  if (set === undefined) throw new Error('a write that is alone is never deferred')
  const changes = set.edits.map(edit => ({
    path: edit.path,
    before: textOf(bytes.get(edit.path) ?? null),
    after: textOf(write?.after.get(edit.path) ?? null),
    splices: edit._tag === 'Lines' ? edit.splices : null,
  }))
  return right({ status: null, body: { ...set.preview, diff: publicDiff(changes) }, commit: snapshot.commit })
}

const reasonOf = (failure: { readonly _tag: string; readonly reason?: string }): string =>
  failure.reason ?? failure._tag

const refusalOf = (failure: LandingFailure): WriteOutcome => {
  if (failure._tag === 'Detached') return left(headDetached())
  if (failure._tag === 'Locked') return left(repositoryLocked(failure.lock))
  const why = `The work tree cannot be read (${reasonOf(failure)}). Fix that, then try the dry run again.`
  return left(refuse('Overloaded', why))
}

const noFiles: ReadonlySet<RepoPath> = new Set()

/** The dry run on one snapshot; null where HEAD has moved. */
const tryPreview = async (
  parts: PreviewParts,
  { landing }: Checked,
  snapshot: Snapshot,
  command: Command,
): Promise<WriteOutcome | null> => {
  const planned = await planOn(parts, snapshot, [command])
  const { files } = planned
  const found = files.length === 0 ? right(noFiles) : await lookBetween(landing, snapshot.commit, files)
  if (!isLeft(found)) return previewDiff(planned, found.right, snapshot)
  return found.left._tag === 'Moved' ? null : refusalOf(found.left)
}

/**
 * Returns what a write would do, or why it would be refused, without the gate: nothing here can write (A 1,
 * S17). Takes no lock and delays no write; where the branch moves meanwhile, it plans again.
 */
export const preview = async (
  parts: PreviewParts,
  first: Snapshot,
  command: Command,
): Promise<WriteOutcome> => {
  const { checked } = parts
  if (checked === null) return previewDiff(await planOn(parts, first, [command]), noFiles, first)
  let snapshot: Snapshot | null = first
  for (let tries = 0; tries < triesMax && snapshot !== null; tries += 1) {
    const outcome = await tryPreview(parts, checked, snapshot, command)
    if (outcome !== null) return outcome
    snapshot = await checked.fresh()
  }
  return left(
    refuse(
      'Overloaded',
      'Another program kept moving the branch. Try the dry run again when it has finished.',
    ),
  )
}
