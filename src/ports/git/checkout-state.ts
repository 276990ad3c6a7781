import type { ParkedRef } from './remote.js'

/** What a merge left out, with the files, blocks and rows that its commit names, as `path ### block row (cause)`. */
export interface ParkedWork extends ParkedRef {
  readonly conflicts: ReadonlyArray<string>
}

/** How a git checkout stands, as its refs and remotes say. Nothing is fetched for it. */
export interface CheckoutState {
  /** Without `refs/heads/`; null where HEAD is on no branch. */
  readonly branch: string | null
  /** Address of the followed remote without credentials; null where there is none of its name. */
  readonly remote: string | null
  /**
   * Commits of the branch that the remote was not seen to have; null before that was ever seen, or without a branch.
   */
  readonly unpublished: number | null
  readonly parked: ReadonlyArray<ParkedWork>
}
