import type { BlobId, CommitId } from '#protocol/atoms.js'

/** A file as a commit has it. `blob` is null for what is not a text file: a link, a submodule. */
export interface PastVersion {
  readonly path: string
  readonly blob: BlobId | null
}

/**
 * A file that a commit changed: its version in each parent (none for a first commit) and in the commit; null:
 * absent.
 */
export interface PastFile {
  readonly before: ReadonlyArray<PastVersion | null>
  readonly after: PastVersion | null
}

/**
 * A commit with the files that it changed; for a merge, only those that differ from every parent. Names,
 * message and trailers are unchecked.
 */
export interface PastCommit {
  readonly id: CommitId
  readonly author: string
  readonly authoredMs: number
  readonly committedMs: number
  readonly subject: string
  readonly trailers: {
    readonly actor: string | null
    readonly route: string | null
    readonly intent: string | null
  }
  /** The bytes of the commit object, which may contain a signature. */
  readonly bytes: Buffer
  readonly files: ReadonlyArray<PastFile>
  /** Whether the commit changed more files than `files` lists. */
  readonly cut: boolean
}

/**
 * Which commits: the ancestors of `head`, newest first, without the first `skip`; by commit date, both ends
 * inclusive.
 */
export interface PastWanted {
  readonly head: CommitId
  readonly skip: number
  readonly max: number
  readonly fromMs: number | null
  readonly toMs: number | null
  /** Only commits that touch the path. */
  readonly path: string | null
}

/**
 * A walk in progress. It is limited in time: once `spent`, the reader stops. Call `end` in every case; it
 * frees the walk.
 */
export interface PastWalk {
  readonly commits: AsyncIterable<PastCommit>
  readonly spent: () => boolean
  /** Yields to the event loop once this walk has used its slice of time. */
  readonly breathe: () => Promise<void>
  readonly end: () => void
}

/** The history of the served branch, which git processes read outside the event loop. */
export interface GitHistory {
  /** Whether `commit` is `head` or an ancestor of it. */
  readonly has: (head: CommitId, commit: CommitId) => Promise<boolean>
  /** A commit without its files; null where no commit has this id. */
  readonly commit: (id: CommitId) => Promise<Omit<PastCommit, 'files' | 'cut'> | null>
  /** Null where the host already runs and queues as many walks as it allows. */
  readonly walk: (wanted: PastWanted) => Promise<PastWalk | null>
  /** The text of a blob; null where it is too large. */
  readonly text: (blob: BlobId) => Promise<string | null>
}
