import type { BlobId, CommitId, RepoPath } from '#protocol/atoms.js'
import type { AuditLine } from '#protocol/events.js'
import type { ReplayedCommit } from '#src/ports/git/remote.js'

/** One file of an intent: its blob before and after; null where there is none. */
export interface IntentPath {
  readonly path: RepoPath
  readonly old: BlobId | null
  readonly new: BlobId | null
}

/**
 * `prepared`: the ref may have moved or not; `done`: it moved, and the write is complete; `lost`: it never
 * moved.
 */
export type IntentState = 'prepared' | 'done' | 'lost'

/**
 * What a write is about to do to the branch, recorded beforehand so that the next boot can complete or drop
 * it (S13).
 */
export interface Intent {
  readonly id: string
  readonly atMs: number
  readonly actor: string
  readonly route: string
  /** The write's commit. The object exists before the intent is recorded. */
  readonly commit: CommitId
  /** The commit of the branch before the write; null for the first commit of a repository. */
  readonly parent: CommitId | null
  readonly state: IntentState
  readonly paths: ReadonlyArray<IntentPath>
  /** The audit lines of the write; stored apart, and so not read back (ADR 1012). */
  readonly audit?: ReadonlyArray<AuditLine>
}

/** The intents of this host, durable before a call returns. A call throws where the disk refuses. */
export interface Intents {
  /** Records a batch in one transaction: all or none. Each id is recorded once. */
  readonly prepare: (batch: ReadonlyArray<Intent>) => void
  /** Ends intents in one transaction and returns how many. An intent that has ended keeps its state. */
  readonly settle: (ids: ReadonlyArray<string>, state: Exclude<IntentState, 'prepared'>) => number
  /** The intents that have not ended, oldest first: the next boot settles them. */
  readonly prepared: () => ReadonlyArray<Intent>
  readonly find: (id: string) => Intent | null
  /** Lets intents name the commits that took the place of theirs, in one transaction. */
  readonly follow: (made: ReadonlyArray<ReplayedCommit>) => void
  /** Writes a row and deletes it, durably; throws where the next `prepare` would. */
  readonly prove: () => void
  /** Deletes ended intents that were recorded before this time. Returns how many. */
  readonly forget: (beforeMs: number) => number
}
