import { isLeft } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms.js'
import { interactionTrailer, type KeyedCommit } from '#protocol/chat/dispatch.js'
import { syncGit } from '#src/adapters/sync/sync-git.js'
import type { FleetBranch } from '#src/ports/git.js'
import type { EffectLog } from '#src/ports/landing.js'

/** The effects of interactions in the repository, by `git log`; git decides what is a trailer. */
export const gitEffectLog = (repo: string, { tip }: Pick<FleetBranch, 'tip'>): EffectLog => ({
  tip,
  keyedCommits: async (at, since, signal) => {
    const options = { cwd: repo, signal, limitMs, outputBytesMax }
    if (since !== null) {
      // A commit that is gone is no ancestor either.
      const { code } = await syncGit(['merge-base', '--is-ancestor', since, at], options)
      if (code !== 0) return null
    }
    const result = await syncGit(logArgs(at, since), options)
    if (result.code === 0) return parseKeyedCommits(result.stdout)
    throw new Error(`git log of ${interactionTrailer} failed: ${result.stderr.trim() || 'it did not end'}`)
  },
})

const limitMs = 30_000
/** About 200,000 commits with the trailer. */
const outputBytesMax = 16 * 1024 * 1024
const separator = '\u001f'

/** The settings of the checkout must not decide what a trailer is. */
const settings = ['-c', 'trailer.separators=:']
const values = `%(trailers:key=${interactionTrailer},valueonly,unfold,separator=%x1f)`

const logArgs = (tip: CommitId, since: CommitId | null): ReadonlyArray<string> => [
  ...[...settings, 'log', '--encoding=UTF-8', `--format=%H%x1f${values}`],
  ...['--fixed-strings', '--regexp-ignore-case', `--grep=${interactionTrailer}`],
  ...[tip, ...(since === null ? [] : [`^${since}`]), '--'],
]

const parseLine = (line: string): KeyedCommit | null => {
  const [id, ...words] = line.split(separator)
  const commit = CommitId.decode(id)
  const keys = words.map(word => word.trim()).filter(word => word !== '')
  return isLeft(commit) || keys.length === 0 ? null : { commit: commit.right, keys }
}

/**
 * Parses a line for each commit: its id, then the values. Each line is a text of its own: a part of one large
 * text would keep all of it in memory.
 */
const parseKeyedCommits = (output: Buffer): ReadonlyArray<KeyedCommit> => {
  const commits: Array<KeyedCommit> = []
  let start = 0
  for (let end = output.indexOf('\n'); end >= 0; end = output.indexOf('\n', start)) {
    const keyed = parseLine(output.toString('utf8', start, end))
    if (keyed !== null) commits.push(keyed)
    start = end + 1
  }
  return commits
}
