/** The branch of a takeover as it was fetched. */
export interface FetchedClaim {
  readonly commit: string
  /** The apex of its file; null where the file is not a flip of that of the followed branch, and nothing else. */
  readonly apex: string | null
  /** Whether the followed branch has the commit already. */
  readonly isMerged: boolean
  /** Whether it changes the file of the fleet and no other. */
  readonly isPlain: boolean
}

/** The remote after a fetch. */
export interface FetchedClaims {
  readonly _tag: 'Claims'
  /** The followed branch and its commit. */
  readonly branch: string
  readonly tip: string
  /** The commit that last changed the file of the fleet, its blob and its text; null without such a file. */
  readonly topology: {
    readonly fence: { readonly commit: string; readonly blob: string }
    readonly text: string
  } | null
  /** Null where the remote has no such branch. */
  readonly claim: FetchedClaim | null
}

/** A commit that changes the file of the fleet, on top of `parent`, with the dates of `parent`. */
export interface ClaimCommit {
  readonly branch: string
  readonly parent: string
  /** The whole file. */
  readonly text: string
  readonly message: string
}

/** The change that made a version of the topology, as git has it. */
export interface Flip {
  /** The version before it, which the branch of the takeover has its name from. */
  readonly before: { readonly commit: string; readonly term: number; readonly blob: string }
  /** Whether the message of the commit says that a takeover made it. */
  readonly isTakeover: boolean
  /** Of the merge that brought a takeover into the followed branch, if one did; else of the commit. */
  readonly dateMs: number
}
