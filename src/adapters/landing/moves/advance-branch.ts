import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { BlobId, RepoPath } from '#protocol/atoms.js'
import type { GitBatch } from '#src/adapters/git/git-batch.js'
import type { Landed, LandingFailure, Move } from '#src/ports/landing.js'
import type { Intent } from '#src/ports/records.js'
import { blobsBefore, type CheckoutComparison, compareCheckout } from '../checkout/dirty.js'
import { hasCommittedContent as liesAs } from '../checkout/work-tree.js'
import { type MovedFile, sealMove } from '../objects/seal.js'
import { treeDiff } from '../objects/tree-diff.js'
import { isAncestor } from '../refs/ref-updater.js'
import { intentHooks } from '../seal-intents.js'
import { type LandingContext, sealPortsOf } from './context.js'
import { lockBase } from './lock-base.js'
import { finishSealed } from './mend.js'
import { comparedOf, type LockedCheckout, runContained, unlockIndex } from './under-lock.js'

type Differing = Awaited<ReturnType<typeof treeDiff>>

/** Paths that the move removes or renames by case: a file there does not block the move. */
const listLeavingPaths = (differing: Differing): ReadonlySet<RepoPath> =>
  new Set(
    differing.flatMap(({ path, after, orBefore }) =>
      after === null || orBefore !== undefined ? [path] : [],
    ),
  )

const readBlob = async (objects: GitBatch, id: BlobId): Promise<Buffer> => {
  const object = await objects.object(id)
  if (object?.type !== 'blob') throw new Error(`the blob ${id} cannot be read; run \`git fsck\``)
  return object.bytes
}

const readMovedFiles = (
  objects: GitBatch,
  differing: Differing,
  lies: CheckoutComparison,
): Promise<ReadonlyArray<MovedFile>> =>
  Promise.all(
    differing.map(async (file): Promise<MovedFile> => {
      const { path, after } = file
      const lying = lies.lying.get(path) ?? { _tag: 'Absent' }
      return {
        path,
        before: blobsBefore(file).find(blob => liesAs(lying, blob)) ?? null,
        after: after === null ? null : { ...after, bytes: await readBlob(objects, after.id) },
        lying,
      }
    }),
  )

const intentOf = ({ intent: id, from, to, reason, atMs }: Move, differing: Differing): Intent => ({
  id,
  atMs,
  actor: 'machine',
  route: reason,
  commit: to,
  parent: from,
  state: 'prepared',
  paths: differing.flatMap(file =>
    blobsBefore(file).map(old => ({ path: file.path, old, new: file.after?.id ?? null })),
  ),
})

const moveLocked = async (
  context: LandingContext,
  locked: LockedCheckout,
  move: Move,
  superseded: AbortSignal,
): Promise<Either<LandingFailure, Landed>> => {
  const { repo, objects } = context
  const { held, folder } = locked
  const { from, to, atMs } = move
  if (move.replaces !== true && !(await isAncestor(repo, from, to)))
    return left({ _tag: 'Failed', reason: `${to} does not have ${from} among its ancestors` })
  const differing = await treeDiff(repo, from, to)
  const lies = await compareCheckout(comparedOf(context, locked), differing, listLeavingPaths(differing))
  if (lies.dirty.size > 0) return left({ _tag: 'Dirty', files: [...lies.dirty].sort() })
  const files = await readMovedFiles(objects, differing, lies)
  const sealed = await sealMove(
    sealPortsOf(context, folder),
    held,
    { from, to, atMs, objects: [], files, ...intentHooks(context.intents, [intentOf(move, differing)]) },
    superseded,
  )
  return isLeft(sealed) ? sealed : right(await finishSealed(context, sealed.right, [to]))
}

/**
 * Moves the branch to a commit that already exists, forward unless the move replaces the history; `Dirty` where a
 * person's work is in the way.
 */
export const advanceBranch = async (
  context: LandingContext,
  move: Move,
  superseded: AbortSignal,
): Promise<Either<LandingFailure, Landed>> => {
  const locked = await lockBase(context, move.from)
  if (isLeft(locked)) return locked
  const moved = await runContained(context, () => moveLocked(context, locked.right, move, superseded))
  const unlocked = await unlockIndex(context, locked.right)
  return isLeft(unlocked) ? unlocked : moved
}
