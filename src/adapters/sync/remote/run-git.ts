import type { Tree } from '#protocol/atoms.js'
import type { SyncAction } from '#protocol/host/sync.js'
import type { GitResult } from '#src/adapters/git/git-command.js'
import { gitCommandOf } from '#src/adapters/git/git-command.js'
import { redactAddress, redactAddressIn } from '#src/domain/redaction/scrub.js'
import type { RemoteFailure } from '#src/ports/git.js'
import { syncGit } from '../sync-git.js'
import { causeOf, remoteFailure } from './git-words.js'
import { isRemoteName, type Transport, transportOf } from './remote-address.js'
import { configQueryArgs, transientEnvironment } from './transient-remote.js'

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

export interface RemoteOptions {
  readonly repo: string
  /** The tree that the checkout is; absent: the lore. */
  readonly tree?: Tree
  readonly state: string
  /** `server.sync_remote` and `server.sync_branch`, as committed. */
  readonly remote: string
  readonly branch: string
  readonly town: string
  /** Yields to the event loop between slices of a merge. */
  readonly breathe: () => Promise<void>
  readonly limitsMs?: { readonly near: number; readonly far: number }
}

/** The remote of one checkout, and what earlier calls found out about it. */
export interface RemoteContext {
  readonly options: RemoteOptions
  /** Time limits of a git that does not contact the remote, and of one that does. */
  readonly limitsMs: { readonly near: number; readonly far: number }
  /** The branch of the head of the remote at an address; null until a remote was asked. */
  headBranch: { readonly address: string; readonly branch: string } | null
  /** Whether the last fetch found no such branch: then everything here is unpublished. */
  isMissingThere: boolean
  /** The branch of the last fetch; null before it. */
  followed: string | null
}

/** The context of a remote that was not asked yet. */
export const openRemoteContext = (options: RemoteOptions): RemoteContext => ({
  options,
  limitsMs: options.limitsMs ?? limits,
  headBranch: null,
  isMissingThere: false,
  followed: null,
})

/** Where the remote's branch is stored: below a folder that no person's git writes to. */
export const fetchedRef = 'refs/svc/fetched'

/** Runs a git that does not contact the remote. */
export const runNear = (
  { options, limitsMs }: RemoteContext,
  args: ReadonlyArray<string>,
): Promise<GitResult> => syncGit(args, { cwd: options.repo, signal: never, limitMs: limitsMs.near })

/** The output of such a git; null where it failed. */
export const readNear = async (
  context: RemoteContext,
  args: ReadonlyArray<string>,
): Promise<string | null> => {
  const result = await runNear(context, args)
  return result.code === 0 ? result.stdout.toString('utf8').trim() : null
}

export const failStep = (action: SyncAction, detail: string): RemoteFailure => ({
  _tag: 'Failed',
  action,
  detail,
})

/** Why a git that contacted the remote failed. */
export const failureOfGit = (result: GitResult): RemoteFailure =>
  result.timedOut
    ? failStep('timeout', 'The remote took longer than the limit of one call.')
    : failStep(remoteFailure(result.stderr), causeOf(result.stderr))

/** Why a shallow clone cannot say what two histories have in common, and how a person completes it. */
export const shallowWords = (remote: string): string =>
  'A fetch with --depth cut off the history of this clone: .git/shallow names where. ' +
  `Run \`git fetch --unshallow ${remote}\` in the checkout; nothing is lost.`

/** How the remote is reached. The environment may carry a secret (S34). */
export interface Way {
  readonly _tag: 'Way'
  /** With its credentials. */
  readonly address: string
  readonly env: Readonly<Record<string, string>>
  readonly transport: Transport
  /** Removes the credentials from git's output (S34). */
  readonly shown: (text: string) => string
}

/** The configured URL, with its credentials; null where there is no such remote. */
export const findAddress = async (context: RemoteContext, use: 'fetch' | 'push'): Promise<string | null> => {
  const { remote } = context.options
  if (!isRemoteName(remote)) return null
  return readNear(context, ['remote', 'get-url', ...(use === 'push' ? ['--push'] : []), remote])
}

/** How to reach the remote; a failure where there is none, or its transport is not allowed. */
export const findWay = async (
  context: RemoteContext,
  use: 'fetch' | 'push',
): Promise<Way | RemoteFailure> => {
  const { remote } = context.options
  const named = await findAddress(context, use)
  if (named === null)
    return failStep(
      'unreachable',
      `There is no git remote ${remote}. Add it with \`git remote add ${remote} URL\`.`,
    )
  const transport = transportOf(named)
  if (transport === null)
    return failStep(
      'transport_refused',
      `${redactAddress(named)} is not a file, ssh or https address, nor http of this machine.`,
    )
  const settings = (await runNear(context, configQueryArgs(remote))).stdout.toString('utf8')
  const env = transientEnvironment(named, settings)
  return { _tag: 'Way', address: named, env, transport, shown: redactAddressIn(named) }
}

/** Runs a git that contacts the remote. */
export const runFar = (
  { options, limitsMs }: RemoteContext,
  args: ReadonlyArray<string>,
  { transport, env, shown }: Way,
  signal: AbortSignal,
): Promise<GitResult> =>
  syncGit(args, { cwd: options.repo, signal, limitMs: limitsMs.far, transport, env, shown })

const wordsOf = ({ timedOut, stderr }: GitResult, limitMs: number): string =>
  timedOut ? `did not end within ${limitMs / 1000} s` : `failed: ${causeOf(stderr)}`

class GitEnded extends Error {
  readonly result: GitResult
  constructor(args: ReadonlyArray<string>, result: GitResult, limitMs: number) {
    super(`git ${gitCommandOf(args)} ${wordsOf(result, limitMs)}`)
    this.result = result
  }
}

/** `far` and the grace of a git that ends slowly are 60 s together. */
const limits = { near: 30_000, far: 59_000 }

const never = new AbortController().signal
