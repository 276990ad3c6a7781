import type { BlobId, CommitId } from '#protocol/atoms/commit.js'
import type { RepoPath } from '#protocol/atoms/path.js'
import type { AuditLine } from '#protocol/events/audit.js'

/** One file of an intent: its blob before and after; null where there is none. */
export interface IntentPath {
  readonly path: RepoPath
  readonly old: BlobId | null
  readonly new: BlobId | null
}

/** `prepared`: the ref may have moved or not; `done`: it did, and the write is whole; `lost`: it never did. */
export type IntentState = 'prepared' | 'done' | 'lost'

/** What a write is about to do to the branch, told before it does it, so that a boot can finish or forget it (S13). */
export interface Intent {
  readonly id: string
  readonly atMs: number
  readonly actor: string
  readonly route: string
  /** The commit that carries it, which exists as an object before the intent is told. */
  readonly commit: CommitId
  /** What the branch pointed at; null for the first commit of a repository. */
  readonly parent: CommitId | null
  readonly state: IntentState
  readonly paths: ReadonlyArray<IntentPath>
  /** What the audit stream is owed once it stands; kept apart, and so not read back (ADR 1012). */
  readonly audit?: ReadonlyArray<AuditLine>
}

/** The intents of this host, on disk before a call returns. A call throws where the disk refuses. */
export interface Intents {
  /** Tells a batch in one transaction: all of it, or none. An id is told once. */
  readonly prepare: (batch: ReadonlyArray<Intent>) => void
  /** Ends intents in one transaction; one that has ended stays as it ended. Answers how many it ended. */
  readonly settle: (ids: ReadonlyArray<string>, state: Exclude<IntentState, 'prepared'>) => number
  /** What neither ended well nor was given up, oldest first: the work of a boot. */
  readonly prepared: () => ReadonlyArray<Intent>
  readonly find: (id: string) => Intent | null
  /** Writes something and takes it back, durably: throws where the next `prepare` would. */
  readonly prove: () => void
  /** Forgets what ended and was told before a moment. Answers how many it forgot. */
  readonly forget: (beforeMs: number) => number
}
