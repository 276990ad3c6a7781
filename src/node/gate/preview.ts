import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { headDetached, repositoryLocked } from '#actors/write-gate/git-refusals.js'
import type { WriteOutcome } from '#actors/write-gate/messages.js'
import { dirtyRefusal } from '#actors/write-gate/refusals.js'
import type { RepoPath } from '#protocol/atoms/path.js'
import { type Refusal, refuse } from '#protocol/refusal.js'
import type { ChangeSet } from '#src/domain/lore/edits/change-set.js'
import type { Dirty, Landing, TouchedFile } from '#src/ports/git/landing.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { type BeforeWrite, refuseChange } from '#src/writing/batch/hooks.js'
import { composition } from '#src/writing/batch/new-bytes.js'
import { planAt, type WriteRequest } from '#src/writing/write-plan.js'
import { openDiff } from './open-diff.js'

/** Where a dry run looks for uncommitted work of a person. */
export interface Checked {
  readonly between: Landing['between']
  /** The snapshot of what HEAD names at this moment; null where HEAD cannot be read. */
  readonly fresh: () => Promise<Snapshot | null>
}

export interface PreviewParts {
  readonly read: (file: TouchedFile) => Promise<Buffer | null>
  readonly hooks: ReadonlyArray<BeforeWrite>
  readonly nowMs: () => number
  /** Null on a plain directory. */
  readonly checked: Checked | null
}

const triesMax = 4

const textOf = (bytes: Buffer | null): string | null => bytes?.toString('utf8') ?? null

const planned = async (
  { hooks, nowMs }: PreviewParts,
  snapshot: Snapshot,
  request: WriteRequest<unknown>,
): Promise<Either<Refusal, ChangeSet<unknown>>> => {
  const plan = (await planAt(request, snapshot))(snapshot, nowMs())
  if (isLeft(plan)) return plan
  const rejection = refuseChange(hooks, snapshot, plan.right)
  return rejection === null ? plan : left(rejection)
}

const shown = async (
  { read }: PreviewParts,
  snapshot: Snapshot,
  { edits, preview }: ChangeSet<unknown>,
): Promise<WriteOutcome> => {
  const before = new Map<RepoPath, Buffer>()
  for (const edit of edits) {
    const bytes = edit.before === null ? null : await read(edit)
    if (bytes !== null) before.set(edit.path, bytes)
  }
  const after = composition(before).after(edits)
  const changes = edits.map(edit => ({
    path: edit.path,
    before: textOf(before.get(edit.path) ?? null),
    after: textOf(after.get(edit.path) ?? null),
    splices: edit._tag === 'Lines' ? edit.splices : null,
  }))
  const diff = openDiff(changes)
  return right({ status: null, body: { ...preview, diff }, commit: snapshot.commit })
}

const reasonOf = (failure: { readonly _tag: string; readonly reason?: string }): string =>
  failure.reason ?? failure._tag

/** The dry run on one snapshot; null where HEAD is elsewhere. */
const tried = async (
  parts: PreviewParts,
  dirty: Dirty,
  snapshot: Snapshot,
  request: WriteRequest<unknown>,
): Promise<WriteOutcome | null> => {
  const plan = await planned(parts, snapshot, request)
  if (isLeft(plan)) return plan
  const { edits } = plan.right
  const found = edits.length === 0 ? right(new Set<RepoPath>()) : await dirty(snapshot.commit, edits)
  if (!isLeft(found))
    return found.right.size > 0 ? left(dirtyRefusal([...found.right])) : shown(parts, snapshot, plan.right)
  if (found.left._tag === 'Moved') return null
  if (found.left._tag === 'Detached') return left(headDetached())
  if (found.left._tag === 'Locked') return left(repositoryLocked(found.left.lock))
  const why = `The work tree cannot be looked at (${reasonOf(found.left)}); mend that, then try the dry run again.`
  return left(refuse('Overloaded', why))
}

/**
 * What a write would do, or why it would be refused, without the gate: nothing here can write (A 1, S17). It runs
 * between two landings, for one under way has its files half in place; a person may move the branch all the same.
 */
export const preview = async (
  parts: PreviewParts,
  first: Snapshot,
  request: WriteRequest<unknown>,
): Promise<WriteOutcome> => {
  const { checked } = parts
  if (checked === null) {
    const plan = await planned(parts, first, request)
    return isLeft(plan) ? plan : shown(parts, first, plan.right)
  }
  return checked.between(async dirty => {
    let snapshot: Snapshot | null = first
    for (let tries = 0; tries < triesMax && snapshot !== null; tries += 1) {
      const outcome = await tried(parts, dirty, snapshot, request)
      if (outcome !== null) return outcome
      snapshot = await checked.fresh()
    }
    return left(
      refuse(
        'Overloaded',
        'Another program kept moving the branch; try the dry run again when its git has ended.',
      ),
    )
  })
}
