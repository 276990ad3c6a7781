import type { ClaimCommit, FetchedClaims, Flip } from '#protocol/fleet/takeover.js'
import type { Pushed, RemoteFailure } from './remote.js'

/** The git part of a takeover. Its commits are based on what the remote has, never on commits of this host. */
export interface TakeoverGit {
  /** Fetches the followed branch and the branch of a takeover into refs of their own. */
  readonly fetch: (claimBranch: string, signal: AbortSignal) => Promise<FetchedClaims | RemoteFailure>
  /** Makes the commit of a claim, which has the same id on every host, and pushes it as a fast-forward. */
  readonly push: (
    claim: ClaimCommit,
    signal: AbortSignal,
  ) => Promise<{ readonly commit: string; readonly pushed: Pushed } | RemoteFailure>
  /** Reads the change that made a version of the file; null where it is the first one. Rejects where git fails. */
  readonly readFlip: (fenceCommit: string) => Promise<Flip | null>
}
