import type { SyncAction } from '#protocol/sync.js'
import type { RemoteFailure } from '#src/ports/git.js'
import { type SyncGitResult, syncGit } from '../sync-git.js'
import { causeOf, remoteFailure } from './git-words.js'

export interface RemoteOptions {
  readonly repo: string
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

/** `far` and the grace of a git that ends slowly are 60 s together. */
const limits = { near: 30_000, far: 59_000 }

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

const never = new AbortController().signal

/** Runs a git that does not contact the remote. */
export const runNear = (
  { options, limitsMs }: RemoteContext,
  args: ReadonlyArray<string>,
): Promise<SyncGitResult> => syncGit(args, { cwd: options.repo, signal: never, limitMs: limitsMs.near })

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
export const failureOfGit = (result: SyncGitResult): RemoteFailure =>
  result.timedOut
    ? failStep('timeout', 'The remote took longer than the limit of one call.')
    : failStep(remoteFailure(result.stderr), causeOf(result.stderr))

/** Why a shallow clone cannot say what two histories have in common, and how a person completes it. */
export const shallowWords = (remote: string): string =>
  'A fetch with --depth cut off the history of this clone: .git/shallow names where. ' +
  `Run \`git fetch --unshallow ${remote}\` in the checkout; nothing is lost.`
