import type { Either } from 'fp-ts/lib/Either.js'
import type { BlobId, CommitId, RepoPath } from '#protocol/atoms.js'
import type { KeyedCommit } from '#protocol/chat/dispatch.js'
import type { Adoption, AdoptRefusal } from '#protocol/host/admin.js'
import type { BlockCode, Blocker, Mode } from '#protocol/host/discovery.js'
import type { AuditLine } from '#protocol/host/events.js'
import type { RefusalOf } from '#protocol/refusal.js'
import type { GateRefusal } from '#src/domain/admin/gate-arms.js'
import type { Notice } from '#src/domain/lore/changes.js'
import type { ClaimedRight, WriteActor, WriteOrigin } from '#src/writing/command.js'
import type { FleetTip, Pushed, RemoteFailure } from './git.js'
import type { TellProgress } from './records.js'

/**
 * A file that a write touches; `before` is the blob that the plan was made on, null for a file that does not
 * exist yet.
 */
export interface TouchedFile {
  readonly path: RepoPath
  readonly before: BlobId | null
  /** Other blobs that the checkout may hold, where the commit has the same name twice. */
  readonly orBefore?: ReadonlyArray<BlobId | null>
}

/**
 * One commit to make, on top of the one before it in the batch. `after`: the complete new bytes by path; null
 * removes.
 */
export interface Draft {
  readonly intent: string
  readonly actor: string
  readonly route: string
  readonly author: { readonly name: string; readonly email: string }
  readonly message: string
  readonly after: ReadonlyMap<RepoPath, Buffer | null>
  /** The audit lines of the commit, still without its id. */
  readonly audit?: ReadonlyArray<AuditLine>
  /** What follows when the remote has the commit. */
  readonly notices?: ReadonlyArray<Notice>
}

/** Returns the signature trailer of a commit object: one line with its newline. */
export type SignCommit = (commit: Buffer) => string

/** Commits that are made together, each on top of the one before it. */
export interface DraftBatch {
  readonly drafts: ReadonlyArray<Draft>
  readonly atMs: number
  /** Signs each commit; if absent, the commits are unsigned. */
  readonly sign?: SignCommit
  /**
   * Sends the last commit to the remote before the branch moves to it; if absent, the branch moves at once. The branch
   * does not move unless this says `Pushed`.
   */
  readonly publish?: (commit: CommitId) => Promise<Pushed>
}

/** Why nothing was committed. */
export type LandingFailure =
  /** The branch points to another commit: plan again. */
  | { readonly _tag: 'Moved' }
  /**
   * HEAD names no branch. A commit made during a person's rebase or bisect would be on no branch when that
   * ends.
   */
  | { readonly _tag: 'Detached' }
  /** Another process holds git's lock; `lock` names the file. */
  | { readonly _tag: 'Locked'; readonly lock: string }
  /** The disk accepts no more writes. */
  | { readonly _tag: 'Disk'; readonly reason: string }
  | { readonly _tag: 'Dirty'; readonly files: ReadonlyArray<string> }
  /** Something about the checkout that `blocked` of `GET /health` lists under this code. */
  | { readonly _tag: 'Blocked'; readonly code: BlockCode; readonly reason: string }
  /** The remote did not take the commit, or it is not known whether it did. The branch has not moved. */
  | {
      readonly _tag: 'Unpublished'
      readonly commit: CommitId
      readonly pushed: Exclude<Pushed, { readonly _tag: 'Pushed' }>
      readonly reason: string
    }
  | { readonly _tag: 'Failed'; readonly reason: string }

/** What landed: the commit of each draft, and the files of the work tree that keep a person's changes. */
export interface Landed {
  readonly commits: ReadonlyArray<CommitId>
  readonly left: ReadonlyArray<string>
  /**
   * Why index or work tree are behind the branch until a recovery succeeds. The commits are made regardless.
   */
  readonly unfinished?: LandingFailure
}

/**
 * A move of the branch to a commit that exists already and has `from` among its ancestors, or takes its place: only a
 * rewrite of the remote that a person accepted.
 */
export interface Move {
  readonly intent: string
  readonly from: CommitId
  readonly to: CommitId
  readonly reason: string
  readonly atMs: number
  readonly replaces?: boolean
}

/**
 * What a recovery found: intents whose commit landed or never did, and files that keep a person's changes.
 */
export interface Recovered {
  readonly landed: ReadonlyArray<string>
  readonly lost: ReadonlyArray<string>
  readonly left: ReadonlyArray<string>
}

/** A landing of this host is running, or started meanwhile: wait for its end, then look again. */
export interface LandingBusy {
  readonly _tag: 'Busy'
}

/**
 * The checkout under git's index lock, with HEAD at the base: a person's git cannot commit or stage
 * meanwhile. No method rejects. The caller always closes it.
 */
export interface LandingSession {
  /** Returns the files that hold a person's uncommitted work (D4). */
  readonly inspect: (
    files: ReadonlyArray<TouchedFile>,
  ) => Promise<Either<LandingFailure, ReadonlySet<RepoPath>>>
  /**
   * Makes the commits and moves the branch to the last of them. Fails with `Failed` where a draft has a file
   * that was not inspected, or was found dirty.
   */
  readonly commit: (batch: DraftBatch) => Promise<Either<LandingFailure, Landed>>
  /** Releases the lock, unless a recovery has to find it. */
  readonly close: () => Promise<void>
}

/**
 * Lands commits on the checked-out branch: objects, intents, the branch, the index, the work tree, in this
 * order, each durable before the next. One landing runs at a time and none waits for another: the caller has
 * the queue. Once `superseded` aborts, it moves no branch.
 */
export interface Landing {
  /**
   * Takes the lock for commits on `base`, which the branch must still point to; null: there is no commit yet.
   */
  readonly open: (
    base: CommitId | null,
    superseded: AbortSignal,
  ) => Promise<Either<LandingFailure, LandingSession>>
  /**
   * Returns the files that hold a person's uncommitted work, as a landing on `base` would find them. Takes no
   * lock and delays no landing.
   */
  readonly look: (
    base: CommitId | null,
    files: ReadonlyArray<TouchedFile>,
  ) => Promise<Either<LandingFailure | LandingBusy, ReadonlySet<RepoPath>>>
  /** Resolves when no landing of this host is under way. */
  readonly ended: () => Promise<void>
  readonly advance: (move: Move, superseded: AbortSignal) => Promise<Either<LandingFailure, Landed>>
  /**
   * Completes what a crash left unfinished; waits for a landing that is still running. The first landing
   * after a fault also starts with it.
   */
  readonly recover: () => Promise<Either<LandingFailure, Recovered>>
  /** Whether the repository still exists. Where it was moved, removed or replaced, nothing lands any more. */
  readonly stands: () => Promise<boolean>
  /**
   * Checks that the state area, the object store and the runtime database accept a durable write. Returns
   * null, or why not.
   */
  readonly prove: () => Promise<string | null>
}

/** Files as the commit of HEAD has them. */
export interface HeadFiles {
  readonly commit: CommitId | null
  readonly files: ReadonlyArray<TouchedFile>
}

/** A tree other than the lore that this host writes: a checkout with a lock, a branch and a remote of its own. */
export interface WrittenTree {
  readonly landing: Landing
  /** Returns what its HEAD has at the paths at this moment; null where HEAD cannot be read. */
  readonly headFiles: (paths: ReadonlyArray<RepoPath>) => Promise<HeadFiles | null>
  /** Whether its last converge is too old for a write to it. */
  readonly isStale: () => boolean
  /** Loads what its HEAD names now, so that the next snapshot is of it. Never rejects. */
  readonly refresh: () => Promise<void>
}

/**
 * The commits of the followed branch that are effects of interactions. Contacts no remote. Throws where git
 * fails.
 */
export interface EffectLog {
  readonly tip: () => Promise<FleetTip>
  /**
   * The commits with the trailer in the history of `tip`; with `since`, without those in the history of
   * `since`. Null where `since` is not an ancestor of `tip`.
   */
  readonly keyedCommits: (
    tip: CommitId,
    since: CommitId | null,
    signal: AbortSignal,
  ) => Promise<ReadonlyArray<KeyedCommit> | null>
}

/**
 * The git part of a deferred close: a commit on what the remote has, on a branch of its own. Moves no branch of the
 * checkout, and never forces.
 */
export interface CloseGit {
  /** The followed branch and its commit, as last fetched; null before. Rejects where git fails. */
  readonly tip: (signal: AbortSignal) => Promise<RemoteTip | null>
  /** The bytes of files at a commit, null where it has none. Rejects where git fails. */
  readonly read: (commit: CommitId, path: RepoPath) => Promise<Buffer | null>
  /** Makes the commit of a draft on `base`; it is durable when it resolves. Rejects where git fails. */
  readonly commit: (base: CommitId, draft: Draft, atMs: number) => Promise<CommitId>
  /** Pushes exactly this commit to the branch as a fast-forward. Never rejects. */
  readonly push: (branch: string, commit: CommitId, signal: AbortSignal) => Promise<Pushed>
  /** Fetches a branch of the remote; null where it has none. Never rejects. */
  readonly fetch: (branch: string, signal: AbortSignal) => Promise<CommitId | null | RemoteFailure>
}

/** The followed branch of the remote. */
export interface RemoteTip {
  readonly branch: string
  readonly commit: CommitId
}

/** How the asker of an adoption follows it. */
export interface AdoptionFollow {
  /** Receives each step. If absent, the steps are not reported. */
  readonly progress?: TellProgress
  /** Whether the caller still waits: the gate drops an adoption that it has not begun when its caller leaves. */
  readonly isCallerThere?: () => boolean
}

/** Runs an adoption through the write gate. */
export type Adopting<R> = (
  dryRun: boolean,
  origin: WriteOrigin,
  claimed: ClaimedRight,
  follow?: AdoptionFollow,
) => Promise<Either<R, Adoption>>

/** The write gate of this host as its callers see it, and what closes it. */
export interface WriteGate {
  readonly mode: () => Mode
  /** Why the host is read-only; null while it accepts writes. */
  readonly modeReason: () => string | null
  /** Sets the mode after every write that was asked before; resolves when those are settled (S18). */
  readonly setMode: (
    mode: Mode,
    actor: WriteActor,
    claimed: ClaimedRight,
  ) => Promise<
    Either<RefusalOf<'NoRepository' | 'DiskRefused' | 'Overloaded' | 'Unauthorized' | 'Forbidden'>, Mode>
  >
  /** Why HEAD cannot be loaded; null where it can (D63). */
  readonly staleReason: () => string | null
  /** What blocks writes, or soon will, as last observed; read from memory. */
  readonly blockers: () => ReadonlyArray<Blocker>
  /** Whether the repository was moved, removed or replaced. */
  readonly isGone: () => boolean
  /** Adopts a legacy repository through the write gate (A 4.5); its arms do not apply (A 4.1.3). */
  readonly adopt: Adopting<AdoptRefusal>
  /** Adoption for a row that commits: the gate checks its arms when the turn comes (D28, S18). */
  readonly reindex: Adopting<AdoptRefusal | GateRefusal>
}
