import { gitCommandOf } from '#src/adapters/git/meter-git.js'
import type { RemoteFailure } from '#src/ports/git.js'
import { type SyncGitResult, syncGit } from '../sync-git.js'
import { causeOf } from './git-words.js'

/** Runs git in the checkout and returns its output; rejects unless it exits with one of `codes` (0). */
export type RunGit = (
  args: ReadonlyArray<string>,
  more?: {
    readonly cwd?: string
    readonly input?: string | Buffer
    readonly env?: Readonly<Record<string, string>>
  },
  codes?: ReadonlyArray<number>,
) => Promise<Buffer>

/** The time limit of one git process, and of one answer of a git that reads many objects, in ms. */
export const gitLimitMs = 60_000

const wordsOf = ({ timedOut, stderr }: SyncGitResult, limitMs: number): string =>
  timedOut ? `did not end within ${limitMs / 1000} s` : `failed: ${causeOf(stderr)}`

class GitEnded extends Error {
  readonly result: SyncGitResult
  constructor(args: ReadonlyArray<string>, result: SyncGitResult, limitMs: number) {
    super(`git ${gitCommandOf(args)} ${wordsOf(result, limitMs)}`)
    this.result = result
  }
}

/** Runs git for a merge; `signal` and the limit end it. */
export const runGitIn =
  (repo: string, signal: AbortSignal, limitMs = gitLimitMs): RunGit =>
  async (args, more = {}, codes = [0]) => {
    const result = await syncGit(args, { cwd: repo, signal, limitMs, ...more })
    if (result.code === null || !codes.includes(result.code)) throw new GitEnded(args, result, limitMs)
    return result.stdout
  }

export const printedTextOf = async (printed: Promise<Buffer>): Promise<string> =>
  (await printed).toString('utf8').trim()

/** The failure that a merge reports for a throw. */
export const remoteFailureOf = (error: unknown): RemoteFailure => ({
  _tag: 'Failed',
  action: error instanceof GitEnded && error.result.timedOut ? 'timeout' : 'failed',
  detail: error instanceof Error ? error.message : String(error),
})
