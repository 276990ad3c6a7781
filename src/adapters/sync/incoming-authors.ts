import { redactCredentials } from '#src/domain/redaction/scrub.js'
import { syncGit } from './sync-git.js'

const limitMs = 30_000
const commitsMax = 1_000

/**
 * The name of the author by the id of each commit of `to` that `from` does not have, without merges, the newest
 * 1,000; empty where git does not say.
 */
export const incomingAuthorsOf = async (
  repo: string,
  range: { readonly from: string; readonly to: string },
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> => {
  const args = [
    'log',
    '-z',
    '--no-merges',
    `--max-count=${commitsMax}`,
    '--format=%H %an',
    range.to,
    `^${range.from}`,
  ]
  const { code, stdout } = await syncGit(args, { cwd: repo, signal, limitMs })
  if (code !== 0) return new Map()
  const lines = stdout.toString('utf8').split('\0')
  return new Map(
    lines.flatMap(line => {
      const space = line.indexOf(' ')
      return space < 0 ? [] : [[line.slice(0, space), redactCredentials(line.slice(space + 1))] as const]
    }),
  )
}
