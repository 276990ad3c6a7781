import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type GitResult, git } from '#src/adapters/git/git-command.js'
import { redactCredentials } from '#src/domain/redaction/scrub.js'
import type { Transport } from './remote/remote-address.js'

export interface SyncGitOptions {
  readonly cwd: string
  readonly signal: AbortSignal
  readonly limitMs: number
  /** If absent, no transport is allowed, as for every other git of ours. */
  readonly transport?: Transport
  readonly input?: string | Buffer
  readonly env?: Readonly<Record<string, string>>
  /** Kills git when it has printed more; `code` is then null. Default: that of `git`. */
  readonly outputBytesMax?: number
  /** Runs git, and what it starts, at a low priority. */
  readonly background?: boolean
  /** Removes credentials from git's output; if absent, by their form. */
  readonly shown?: (text: string) => string
}

/**
 * Runs a git of a converge: one transport, no hooks, no prompts, a time limit, and never longer than the
 * daemon. Its `stderr` contains no credentials (S34).
 */
export const syncGit = async (
  args: ReadonlyArray<string>,
  {
    cwd,
    signal,
    limitMs,
    transport,
    input,
    env,
    outputBytesMax,
    background,
    shown = redactCredentials,
  }: SyncGitOptions,
): Promise<GitResult> => {
  const result = await git([...settings, ...args], {
    cwd,
    signal,
    limitMs,
    ...(canTie() ? { tied: transport === undefined ? ('alone' as const) : ('whole' as const) } : {}),
    env: { ...(transport === undefined ? {} : remoteEnvironment(transport)), ...env },
    ...(input === undefined ? {} : { input }),
    ...(outputBytesMax === undefined ? {} : { outputBytesMax }),
    ...(background === undefined ? {} : { background }),
  })
  return { ...result, stderr: shown(result.stderr) }
}

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

const onPath = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some(folder => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })

let tied: boolean | null = null

/**
 * Whether a child can be tied to the life of this process (F7): Linux with util-linux. Elsewhere see
 * ADR 1015.
 */
const canTie = (): boolean => {
  tied = tied ?? (process.platform === 'linux' && onPath('setpriv'))
  return tied
}

const settings = [
  'protocol.version=2',
  'fetch.recurseSubmodules=false',
  'push.recurseSubmodules=no',
  'push.followTags=false',
  'maintenance.auto=false',
].flatMap(setting => ['-c', setting])

/** What git needs to contact a remote, and what keeps it from asking a person for input. */
const remoteEnvironment = (transport: Transport): Record<string, string> => ({
  GIT_ALLOW_PROTOCOL: transport,
  GIT_ASKPASS: 'false',
  SSH_ASKPASS: 'false',
  SSH_ASKPASS_REQUIRE: 'force',
  ...(process.env['SSH_AUTH_SOCK'] === undefined ? {} : { SSH_AUTH_SOCK: process.env['SSH_AUTH_SOCK'] }),
})

const limitMs = 30_000
const commitsMax = 1_000
