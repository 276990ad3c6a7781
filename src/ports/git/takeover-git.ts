import type { ClaimCommit, FetchedFleet } from '#src/domain/fleet/takeover/action.js'
import type { Pushed, RemoteFailure } from './remote.js'

/** The remote as git has it: everything of `FetchedFleet` but what probes find. */
export type FetchedClaims = Omit<FetchedFleet, 'candidates'> & { readonly _tag: 'Claims' }

/** The commit that last changed the file of the fleet, if it may have changed the apex. */
export interface FetchedFlip {
  /** Of the version before it: what the branch of a takeover would have been named after. */
  readonly before: { readonly commit: string; readonly term: number; readonly blob: string }
  /** Whether the message says that a takeover made it. */
  readonly isTakeover: boolean
  readonly dateMs: number
}

/** The git part of a takeover. Its commits are based on what the remote has, never on commits of this host. */
export interface TakeoverGit {
  /** Fetches the followed branch and the branch of a takeover into refs of their own. */
  readonly fetch: (claimBranch: string, signal: AbortSignal) => Promise<FetchedClaims | RemoteFailure>
  /** Makes the commit of a claim, which has the same id on every host, and pushes it as a fast-forward. */
  readonly push: (
    claim: ClaimCommit,
    signal: AbortSignal,
  ) => Promise<{ readonly commit: string; readonly pushed: Pushed } | RemoteFailure>
  /** Reads the change that made a version of the file; null where it is the first one. */
  readonly readFlip: (fenceCommit: string) => Promise<FetchedFlip | null>
}
