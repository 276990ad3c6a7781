import type { Either } from 'fp-ts/lib/Either.js'
import type { BlobId, CommitId } from '#protocol/atoms/commit.js'
import type { RepoPath } from '#protocol/atoms/path.js'
import type { AuditLine } from '#protocol/events/audit.js'

/** A file that a write touches; `before` is the blob it was planned on, null for a file that is not there yet. */
export interface TouchedFile {
  readonly path: RepoPath
  readonly before: BlobId | null
  /** What a checkout may hold instead, where the commit has the name twice. */
  readonly orBefore?: ReadonlyArray<BlobId | null>
}

/** One commit to make, on the one before it in the batch. `after`: the whole new bytes by path, null removes. */
export interface Draft {
  readonly intent: string
  readonly actor: string
  readonly route: string
  readonly author: { readonly name: string; readonly email: string }
  readonly message: string
  readonly after: ReadonlyMap<RepoPath, Buffer | null>
  /** What the audit stream is owed once it stands, without the commit. */
  readonly audit?: ReadonlyArray<AuditLine>
}

/** Makes the trailer that vouches for a commit object; a line of its own, with its newline. */
export type SignCommit = (commit: Buffer) => string

/** Commits that are made together, each on the one before it. */
export interface DraftBatch {
  readonly drafts: ReadonlyArray<Draft>
  readonly atMs: number
  /** Signs each commit; without it they go unsigned. */
  readonly sign?: SignCommit
}

/** Why nothing was committed. */
export type LandingFailure =
  /** The branch points elsewhere: plan again. */
  | { readonly _tag: 'Moved' }
  /** HEAD names no branch: what is committed would be on none when the rebase or bisect of a person ends. */
  | { readonly _tag: 'Detached' }
  /** Another process holds git's lock; `lock` names the file. */
  | { readonly _tag: 'Locked'; readonly lock: string }
  /** The disk takes no more writes. */
  | { readonly _tag: 'Disk'; readonly reason: string }
  | { readonly _tag: 'Dirty'; readonly files: ReadonlyArray<string> }
  | { readonly _tag: 'Failed'; readonly reason: string }

/** What stands: the commit of each draft, and files of the work tree that were left as a person has them. */
export interface Landed {
  readonly commits: ReadonlyArray<CommitId>
  readonly left: ReadonlyArray<string>
  /** Why index or work tree are behind the branch until a recovery succeeds; the commits stand all the same. */
  readonly unfinished?: LandingFailure
}

/** A move of the branch to a commit that exists already and has `from` among its ancestors. */
export interface Move {
  readonly intent: string
  readonly from: CommitId
  readonly to: CommitId
  readonly reason: string
  readonly atMs: number
}

/** What a recovery found: intents whose commit stands or never did, and files left as a person has them. */
export interface Recovered {
  readonly landed: ReadonlyArray<string>
  readonly lost: ReadonlyArray<string>
  readonly left: ReadonlyArray<string>
}

/** A landing of this host is under way, or began meanwhile: wait for its end, then look again. */
export interface LandingBusy {
  readonly _tag: 'Busy'
}

/**
 * The checkout under git's lock on the index, with HEAD at the base: no git of a person commits or stages meanwhile.
 * Nothing here rejects. Close it, whatever happens.
 */
export interface LandingSession {
  /** Which of the files hold uncommitted work of a person (D4). */
  readonly inspect: (
    files: ReadonlyArray<TouchedFile>,
  ) => Promise<Either<LandingFailure, ReadonlySet<RepoPath>>>
  /**
   * Makes the commits and moves the branch to the last of them. `Failed` where a draft has a file that was not
   * inspected, or was found dirty.
   */
  readonly commit: (batch: DraftBatch) => Promise<Either<LandingFailure, Landed>>
  /** Gives the lock back, unless a recovery is to find it. */
  readonly close: () => Promise<void>
}

/**
 * Lands commits on the checked-out branch: objects, intents, the branch, the index, the work tree, in this order, each
 * durable before the next. One landing at a time, and none waits for another: the caller has the queue. Once
 * `superseded` fires no branch is moved any more.
 */
export interface Landing {
  /** Takes the lock for commits on `base`, which the branch must still point at; null: there is no commit yet. */
  readonly open: (
    base: CommitId | null,
    superseded: AbortSignal,
  ) => Promise<Either<LandingFailure, LandingSession>>
  /**
   * Which of the files hold uncommitted work of a person, as a landing on `base` would find. Takes no lock and keeps no
   * landing waiting.
   */
  readonly look: (
    base: CommitId | null,
    files: ReadonlyArray<TouchedFile>,
  ) => Promise<Either<LandingFailure | LandingBusy, ReadonlySet<RepoPath>>>
  /** Resolves when no landing of this host is under way. */
  readonly ended: () => Promise<void>
  readonly advance: (move: Move, superseded: AbortSignal) => Promise<Either<LandingFailure, Landed>>
  /**
   * Ends what a crash left open; waits for a landing that is still under way. Every landing after a fault begins with
   * it too.
   */
  readonly recover: () => Promise<Either<LandingFailure, Recovered>>
  /** Whether the repository is still there; where it was moved, removed or replaced nothing lands any more. */
  readonly stands: () => Promise<boolean>
  /** Proves that state area, object store and runtime database take a durable write; a text is why they do not. */
  readonly prove: () => Promise<string | null>
}
