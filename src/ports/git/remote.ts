import type { CommitId } from '#protocol/atoms/commit.js'
import type { SyncAction } from '#protocol/sync/action.js'

/** Why a step of a converge could not be made. `detail` carries no secret (S34). */
export interface RemoteFailure {
  readonly _tag: 'Failed'
  readonly action: SyncAction
  readonly detail: string
}

/** Where both sides stand after a fetch. `remote` is null where the branch is not there yet. */
export interface Fetched {
  readonly _tag: 'Fetched'
  readonly branch: string
  readonly head: CommitId
  readonly remote: CommitId | null
  /** Commits of the remote that are not here, and of here that are not there. */
  readonly incoming: number
  readonly outgoing: number
}

/**
 * What a merge could not settle: the merge as it would be with this host's word, and the files that differ.
 */
export interface Parked {
  readonly commit: CommitId
  readonly files: ReadonlyArray<string>
  readonly reason: string
}

/** A commit that has both heads as ancestors; objects alone, no ref points at it yet. */
export interface Integrated {
  readonly _tag: 'Integrated'
  readonly commit: CommitId
  /** Files that git's text merge could not merge and that were merged by block and row. */
  readonly resolved: number
  readonly parked: Parked | null
}

export type Pushed =
  | { readonly _tag: 'Pushed' }
  | { readonly _tag: 'Behind' }
  | { readonly _tag: 'Unknown'; readonly detail: string }
  | RemoteFailure

/** What is known of the remote without asking it. */
export interface RemoteFacts {
  readonly exists: boolean
  /** Its address without credentials. */
  readonly address: string | null
}

/** A ref of what was parked and waits for a person. */
export interface ParkedRef {
  readonly ref: string
  readonly commit: string
}

/** The ref under which a commit is kept, and its commit; `isNew` where the ref was made for it. */
export interface ParkedCommit {
  readonly ref: string
  readonly commit: CommitId
  readonly isNew: boolean
}

/** The remote of a checkout, and what git does with it. Every call ends within its limit of time. */
export interface Remote {
  readonly facts: () => Promise<RemoteFacts>
  readonly fetch: (signal: AbortSignal) => Promise<Fetched | RemoteFailure>
  /** Where both sides stand now, with what the last fetch found; reaches no remote. */
  readonly compare: (branch: string) => Promise<Fetched | RemoteFailure>
  readonly integrate: (
    fetched: Fetched,
    atMs: number,
    signal: AbortSignal,
  ) => Promise<Integrated | RemoteFailure>
  /** Publishes exactly this commit by a plain fast-forward. */
  readonly push: (branch: string, commit: CommitId, signal: AbortSignal) => Promise<Pushed>
  /** Keeps a commit under a ref of this host, durably: one that has the same tree and parents, else the next one. */
  readonly park: (commit: CommitId) => Promise<ParkedCommit>
  /** Gives a parked ref up whose merge never came to stand. */
  readonly unpark: (ref: string, commit: CommitId) => Promise<void>
  readonly parked: () => Promise<ReadonlyArray<ParkedRef>>
  /**
   * Commits here that the remote is not known to have; null before its branch was ever seen, or without a branch here.
   */
  readonly unpublished: () => Promise<number | null>
  /** `git gc --auto`, which never removes what a write under way needs. */
  readonly collectGarbage: (signal: AbortSignal) => Promise<void>
}
