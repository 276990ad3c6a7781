import type { ParkedRef } from './remote.js'

/**
 * Work that a merge parked, with the files, blocks and rows that its commit names, as `path ### block row
 * (cause)`.
 */
export interface ParkedWork extends ParkedRef {
  readonly conflicts: ReadonlyArray<string>
}

/** The state of a git checkout by its refs and remotes, without a fetch. */
export interface CheckoutState {
  /** Without `refs/heads/`; null where HEAD is on no branch. */
  readonly branch: string | null
  /** URL of the followed remote without credentials; null where no remote has this name. */
  readonly remote: string | null
  /** That to which a push goes, likewise. */
  readonly pushRemote: string | null
  /**
   * Commits of the branch that the remote is not known to have; null before its branch was ever fetched, or
   * without a branch.
   */
  readonly unpublished: number | null
  readonly parked: ReadonlyArray<ParkedWork>
}
