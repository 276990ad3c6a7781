import type { BlobId } from '#protocol/atoms/commit.js'
import type { RepoPath } from '#protocol/atoms/path.js'

/** A file with the blob that the served commit has there. */
export interface ServedFile {
  readonly path: RepoPath
  readonly blob: BlobId
}

/** How a checkout stands for writes, as one look at its disk found. */
export interface CheckoutSight {
  /** The repository was moved or removed; then nothing else is known. */
  readonly gone: boolean
  /** Whether HEAD names no branch: a rebase or bisect is under way, or a commit is checked out. */
  readonly detached: boolean
  /** Path of git's lock on the index where another program holds it. */
  readonly lock: string | null
  /** Files whose index or work tree differ from the commit, sorted; null where this look could not tell. */
  readonly dirty: ReadonlyArray<string> | null
}

/**
 * Looks at the disk. The cost is linear in the number of files: one `lstat` each, and a read of a file whose stat data
 * in git's index does not prove that it is unchanged, once for each change of it.
 */
export type LookAtCheckout = (files: ReadonlyArray<ServedFile>) => Promise<CheckoutSight>
