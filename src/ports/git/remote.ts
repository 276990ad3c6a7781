import type { CommitId } from '#protocol/atoms.js'
import type { SyncAction } from '#protocol/sync.js'

/** Why a step of a converge failed. `detail` contains no secret (S34). */
export interface RemoteFailure {
  readonly _tag: 'Failed'
  readonly action: SyncAction
  readonly detail: string
}

/** The heads of both sides after a fetch. `remote` is null where its branch does not exist yet. */
export interface Fetched {
  readonly _tag: 'Fetched'
  readonly branch: string
  readonly head: CommitId
  readonly remote: CommitId | null
  /** Commits of the remote that are missing here, and the reverse. */
  readonly incoming: number
  readonly outgoing: number
}

/**
 * What a merge could not resolve: the commit of the merge with this host's version, and the files that
 * differ.
 */
export interface Parked {
  readonly commit: CommitId
  readonly files: ReadonlyArray<string>
  readonly reason: string
}

/** A commit that has both heads as ancestors. Its objects exist; no ref points to it yet. */
export interface Integrated {
  readonly _tag: 'Integrated'
  readonly commit: CommitId
  /** Files that git's text merge could not merge and the block and row merge did. */
  readonly resolved: number
  readonly parked: Parked | null
}

export type Pushed =
  | { readonly _tag: 'Pushed' }
  | { readonly _tag: 'Behind' }
  | { readonly _tag: 'Unknown'; readonly detail: string }
  | RemoteFailure

/** What is known of the remote without contacting it. */
export interface RemoteFacts {
  readonly exists: boolean
  /** The URL without credentials. */
  readonly address: string | null
}

/** A ref of parked work, which waits for a person. */
export interface ParkedRef {
  readonly ref: string
  readonly commit: string
}

/** The ref that keeps a commit, and the commit; `isNew` where this call created the ref. */
export interface ParkedCommit {
  readonly ref: string
  readonly commit: CommitId
  readonly isNew: boolean
}

/** A new history of the remote that the operator has not accepted here. `tip` is null where the branch is gone. */
export interface Rewrite {
  /** What the remote had when this host saw it last. */
  readonly seen: CommitId
  readonly tip: CommitId | null
}

/** Two histories of this branch: whoever asks for a commit of `from` is answered by one that has `to`. */
export interface Replacement {
  readonly from: CommitId
  readonly to: CommitId
}

/** A commit of this host, made again on another parent. */
export interface ReplayedCommit extends Replacement {
  readonly intent: string | null
}

/** The commits of this host on the new history. Their objects exist; no ref points to them yet. */
export interface Replayed {
  readonly _tag: 'Replayed'
  readonly commit: CommitId
  /** In their order. A commit whose intent the new history has already is not among them. */
  readonly made: ReadonlyArray<ReplayedCommit>
  readonly parked: ReadonlyArray<Parked>
}

/** What the refs of this host hold beside its branch. */
export interface HeldRefs {
  readonly parked: ReadonlyArray<ParkedRef>
  readonly rewrite: Rewrite | null
  readonly replaced: ReadonlyArray<Replacement>
}

/** The git remote of a checkout. Every call ends within its time limit. */
export interface Remote {
  readonly facts: () => Promise<RemoteFacts>
  /**
   * Fetches the branch. Fails with `history_rewritten` where the remote does not have what it had when this host saw it
   * last: then `compare` goes on as if there had been no fetch, until `settle`.
   */
  readonly fetch: (signal: AbortSignal) => Promise<Fetched | RemoteFailure>
  /** The heads of both sides now, by the last fetch. Does not contact the remote. */
  readonly compare: (branch: string) => Promise<Fetched | RemoteFailure>
  readonly integrate: (
    fetched: Fetched,
    atMs: number,
    signal: AbortSignal,
  ) => Promise<Integrated | RemoteFailure>
  /** Pushes exactly this commit as a fast-forward. */
  readonly push: (branch: string, commit: CommitId, signal: AbortSignal) => Promise<Pushed>
  /**
   * Keeps a commit under a ref of this host, durably. Reuses the ref of a commit with the same tree and
   * parents, otherwise creates the next one.
   */
  readonly park: (commit: CommitId) => Promise<ParkedCommit>
  /** Deletes the parked ref of a merge that did not land. */
  readonly unpark: (ref: string, commit: CommitId) => Promise<void>
  readonly held: () => Promise<HeldRefs>
  /** Makes the unpublished commits of `head` again on the new history, and remembers what the rewrite removed. */
  readonly replay: (
    rewrite: Rewrite,
    head: CommitId,
    signal: AbortSignal,
  ) => Promise<Replayed | RemoteFailure>
  /** Records, before the branch moves, which commit takes the place of which. */
  readonly replace: (replacement: Replacement) => Promise<void>
  /** Takes the new history of the remote as the one that this host saw last. */
  readonly settle: (rewrite: Rewrite) => Promise<void>
  /**
   * Commits here that the remote is not known to have; null before its branch was ever fetched, or without a
   * branch here.
   */
  readonly unpublished: () => Promise<number | null>
}
