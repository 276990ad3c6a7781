import type { CommitId, RepoPath } from '#protocol/atoms.js'
import { git } from '#src/adapters/git/git-command.js'
import type { Intent } from '#src/ports/records.js'

/**
 * Whether a commit has every line that a write added to ledgers, which are files of one record a line; false where
 * it added none. A squash has the lines and not the commit of the write; a reverse commit has the commit and not
 * the lines.
 */
export const hasAddedLines = async (repo: string, at: CommitId, paths: Intent['paths']): Promise<boolean> => {
  let added = 0
  for (const { path, old, new: made } of paths) {
    if (made === null || !isLedger(path)) continue
    const before = old === null ? new Set<string>() : await linesOf(repo, old)
    const there = await linesOf(repo, `${at}:${path}`)
    for (const line of await linesOf(repo, made)) {
      if (before.has(line)) continue
      if (!there.has(line)) return false
      added += 1
    }
  }
  return added > 0
}

const isLedger = (path: RepoPath): boolean => path.endsWith('.jsonl')

/** The lines of a blob; none where there is no such blob. */
const linesOf = async (repo: string, blob: string): Promise<ReadonlySet<string>> => {
  const { code, stdout } = await git(['cat-file', 'blob', blob], { cwd: repo, limitMs: 30_000 })
  return new Set(code === 0 ? stdout.toString('utf8').split('\n') : [])
}
