import { isLeft } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms.js'

/** The id of a commit. It stands by itself, so that a test which names a commit starts no git (test/run/tiers.ts). */
export const commitId = (text: string): CommitId => {
  const commit = CommitId.decode(text)
  if (isLeft(commit)) throw new Error(`${text} is no commit`)
  return commit.right
}
