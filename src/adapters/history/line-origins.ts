import { isLeft } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms.js'
import type { LineOrigin } from '#src/ports/git.js'
import { git } from '../git/git-command.js'

/**
 * Parses `git blame --porcelain`: a head per line that begins with the commit, and the line itself after a
 * tab.
 */
const readPorcelain = (text: string): ReadonlyArray<LineOrigin> => {
  const origins: Array<LineOrigin> = []
  let commit: CommitId | null = null
  for (const row of text.split('\n')) {
    if (row.startsWith('\t')) {
      if (commit !== null) origins.push({ commit, line: row.slice(1).replace(/\r$/u, '') })
      continue
    }
    const id = /^([0-9a-f]{40}) \d+ \d+/u.exec(row)?.[1]
    if (id === undefined) continue
    const read = CommitId.decode(id)
    commit = isLeft(read) ? null : read.right
  }
  return origins
}

/** The commit that added each line of a file as it is in `at`. Empty where git fails. */
export const lineOrigins =
  (repo: string) =>
  async (at: CommitId, path: string): Promise<ReadonlyArray<LineOrigin>> => {
    const settings = ['-c', 'blame.ignoreRevsFile=']
    const result = await git([...settings, 'blame', '--porcelain', '--no-textconv', at, '--', path], {
      cwd: repo,
    })
    return result.code === 0 ? readPorcelain(result.stdout.toString('utf8')) : []
  }
