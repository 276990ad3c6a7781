import type { BlobId, CommitId } from '#protocol/atoms/commit.js'

/** A file as a commit has it. `blob` is null for what is no file of text: a link, a submodule. */
export interface PastVersion {
  readonly path: string
  readonly blob: BlobId | null
}

/** A file that a commit changed: against each parent (against nothing where there is none), null where it is not. */
export interface PastFile {
  readonly before: ReadonlyArray<PastVersion | null>
  readonly after: PastVersion | null
}

/**
 * A commit with the files that it changed; of a merge those alone that differ from every parent. Names, message and
 * trailers are as anybody wrote them.
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
  /** The bytes of its object, in which a signature may stand. */
  readonly bytes: Buffer
  readonly files: ReadonlyArray<PastFile>
  /** It changed more files than are listed here. */
  readonly cut: boolean
}

/** Which commits: those that `head` has, newest first, `skip` of them left out; by commit date, both inclusive. */
export interface PastWanted {
  readonly head: CommitId
  readonly skip: number
  readonly max: number
  readonly fromMs: number | null
  readonly toMs: number | null
  /** Only commits that touch the path. */
  readonly path: string | null
}

/** A walk under way. It is bounded in time: once `spent` its reader stops. `end` frees it, read to the end or not. */
export interface PastWalk {
  readonly commits: AsyncIterable<PastCommit>
  readonly spent: () => boolean
  /** Lets others run where this walk has had its slice of time. */
  readonly breathe: () => Promise<void>
  readonly end: () => void
}

/** The history of the served branch, read by git itself off the event loop. */
export interface History {
  /** Whether `commit` is `head` or an ancestor of it. */
  readonly has: (head: CommitId, commit: CommitId) => Promise<boolean>
  /** A commit without its files; null where there is none of this id. */
  readonly commit: (id: CommitId) => Promise<Omit<PastCommit, 'files' | 'cut'> | null>
  /** Null where as many walks as the host takes are under way and wait. */
  readonly walk: (wanted: PastWanted) => Promise<PastWalk | null>
  /** The text of a blob; null where it is too large. */
  readonly text: (blob: BlobId) => Promise<string | null>
}
