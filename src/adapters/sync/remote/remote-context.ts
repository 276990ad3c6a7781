import type { SyncAction } from '#protocol/sync/action.js'
import type { RemoteFailure } from '#src/ports/git/remote.js'
import { type SyncGitResult, syncGit } from '../sync-git.js'
import { causeOf, remoteFailure } from './git-words.js'

export interface RemoteOptions {
  readonly repo: string
  readonly state: string
  /** `server.sync_remote` and `server.sync_branch`, as committed. */
  readonly remote: string
  readonly branch: string
  readonly town: string
  /** Lets the event loop turn between slices of a merge. */
  readonly breathe: () => Promise<void>
  readonly limitsMs?: { readonly near: number; readonly far: number }
}

/** The remote of one checkout, and what earlier calls learned of it. */
export interface RemoteContext {
  readonly options: RemoteOptions
  /** Limits of a git that reaches no remote, and of one that does. */
  readonly nearMs: number
  readonly farMs: number
  /** The branch that the remote's head named; null until it was asked. */
  headBranch: string | null
  /** The last fetch found no such branch: all that is here is unpublished. */
  isMissingThere: boolean
}

/** Where the remote's branch is kept: below a folder that no person's git writes to. */
export const fetchedRef = 'refs/svc/fetched'

const never = new AbortController().signal

/** Runs a git that reaches no remote. */
export const runNear = (
  { options, nearMs }: RemoteContext,
  args: ReadonlyArray<string>,
): Promise<SyncGitResult> => syncGit(args, { cwd: options.repo, signal: never, limitMs: nearMs })

/** What such a git printed; null where it failed. */
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

/** Why a git that reaches the remote failed. */
export const failureOfGit = (result: SyncGitResult): RemoteFailure =>
  result.timedOut
    ? failStep('timeout', 'The remote took longer than the limit of one call.')
    : failStep(remoteFailure(result.stderr), causeOf(result.stderr))
