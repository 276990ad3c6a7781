import { isRight } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms.js'
import type { ForgeMerge, ForgeRequest } from '#protocol/forge.js'
import { hasClosingLine } from './closing-line.js'

/**
 * Picks the request that publishes a branch now, from the requests of its source branch, the newest first: the
 * one that is open, else the newest one that ended. Those that a daemon closed are left out. Null: there is none.
 */
export const pickPublishRequest = (
  targetBranch: string,
  requests: ReadonlyArray<ForgeRequest>,
): ForgeRequest | null => {
  const ours = requests.filter(
    one => one.targetBranch === targetBranch && !(one.state === 'closed' && hasClosingLine(one.description)),
  )
  return ours.find(({ state }) => state === 'opened' || state === 'locked') ?? ours[0] ?? null
}

/**
 * The merges that made a commit on the target branch, the newest first. Any of them may be a squash, whose commit
 * does not have the tip among its ancestors.
 */
export const listForgeMerges = (
  targetBranch: string,
  requests: ReadonlyArray<ForgeRequest>,
): ReadonlyArray<ForgeMerge> =>
  requests.flatMap(({ state, targetBranch: target, sha, mergeCommit }) => {
    const [tip, commit] = [CommitId.decode(sha), CommitId.decode(mergeCommit)]
    return state === 'merged' && target === targetBranch && isRight(tip) && isRight(commit)
      ? [{ tip: tip.right, commit: commit.right }]
      : []
  })
