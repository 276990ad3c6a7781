import { isLeft } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms.js'
import { detachedWords } from '#protocol/discovery.js'
import type { Fetched, RemoteFailure } from '#src/ports/git.js'
import { failStep, fetchedRef, type RemoteContext, readNear } from './remote-context.js'

const readCommit = async (context: RemoteContext, ref: string): Promise<CommitId | null> => {
  const commit = CommitId.decode(await readNear(context, ['rev-parse', '--verify', `${ref}^{commit}`]))
  return isLeft(commit) ? null : commit.right
}

const hasBranch = async (context: RemoteContext): Promise<boolean> =>
  (await readNear(context, ['symbolic-ref', '--quiet', 'HEAD']))?.startsWith('refs/heads/') === true

/**
 * Compares HEAD with the fetched branch, without contacting the remote. Fails while HEAD is on no branch:
 * commits of a rebase or bisect must not be published.
 */
export const compareSides = async (
  context: RemoteContext,
  branch: string,
): Promise<Fetched | RemoteFailure> => {
  if (!(await hasBranch(context))) return failStep('failed', detachedWords)
  const { isMissingThere } = context
  const head = await readCommit(context, 'HEAD')
  if (head === null) return failStep('failed', 'This repository has no commit yet; clone the remote instead.')
  const remote = isMissingThere ? null : await readCommit(context, fetchedRef)
  const counted =
    remote === null
      ? `${(await readNear(context, ['rev-list', '--count', head])) ?? '0'}\t0`
      : await readNear(context, ['rev-list', '--left-right', '--count', `${head}...${remote}`])
  const [outgoing, incoming] = (counted ?? '0\t0').split('\t').map(Number)
  return { _tag: 'Fetched', branch, head, remote, incoming: incoming ?? 0, outgoing: outgoing ?? 0 }
}

/**
 * Commits of the branch here that the remote is not known to have; null before its branch was ever fetched,
 * and while HEAD is on no branch.
 */
export const countUnpublished = async (context: RemoteContext): Promise<number | null> => {
  if (!(await hasBranch(context))) return null
  const there = context.isMissingThere ? [] : [`^${fetchedRef}`]
  const counted = await readNear(context, ['rev-list', '--count', 'HEAD', ...there, '--'])
  return counted === null ? null : Number(counted)
}
