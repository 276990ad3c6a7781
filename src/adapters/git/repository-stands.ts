import { type BigIntStats, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * A `.git` file names the git folder of a linked worktree; its content is not compared, because git may
 * rewrite it.
 */
const identityOf = (found: BigIntStats | undefined): string =>
  found === undefined ? 'nothing' : found.isDirectory() ? `${found.dev}:${found.ino}` : 'file'

const now = async (path: string): Promise<string> => {
  try {
    return identityOf(await stat(path, { bigint: true }))
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return identityOf(undefined)
    throw error
  }
}

/** Whether the repository is still the same: not moved, removed or replaced. */
export type RepositoryStands = () => Promise<boolean>

/** Remembers the identity of a checkout's folder and its `.git`, and compares them at each call. */
export const repositoryStands = (repo: string): RepositoryStands => {
  const paths = [repo, join(repo, '.git')]
  const before = paths.map(path => identityOf(statSync(path, { bigint: true, throwIfNoEntry: false })))
  return async () => (await Promise.all(paths.map(now))).every((identity, at) => identity === before[at])
}
