import type { CommitId } from '#protocol/atoms.js'

/**
 * The commit at which the fleet is read. `Fetched`: that of the remote's branch, as last fetched. `Head`: that of
 * this checkout, which has no remote. `NotFetched`: there is a remote, and nothing was fetched from it yet.
 */
export type FleetTip =
  | { readonly _tag: 'NotFetched'; readonly head: CommitId | null }
  | { readonly _tag: 'Fetched'; readonly commit: CommitId }
  | { readonly _tag: 'Head'; readonly commit: CommitId | null }

/** The commit that last changed a file, as of a tip. */
export interface KnownChange {
  readonly tip: CommitId
  readonly changed: CommitId
}

/** The branch at which a host reads the topology of its fleet. Contacts no remote. Throws where git fails. */
export interface FleetBranch {
  readonly tip: () => Promise<FleetTip>
  /**
   * The commit that brought the present version of a file; null where no commit has changed it. A side whose version
   * a merge did not keep does not count. Parents come after their children whatever their dates, so a clock that
   * was wrong does not bring an older commit back. `known` is an earlier answer: the history before it is not
   * walked again where no commit since has changed the file.
   */
  readonly lastChange: (tip: CommitId, path: string, known: KnownChange | null) => Promise<CommitId | null>
}
