import type { BlobId, RepoPath } from '#protocol/atoms.js'
import type { CheckoutFault } from '#protocol/discovery.js'

/** A file with the blob that it has in the served commit. */
export interface ServedFile {
  readonly path: RepoPath
  readonly blob: BlobId
}

/** The state of a checkout as far as it affects writes, as one look at the disk found it. */
export interface CheckoutSight {
  /** The repository was moved or removed; then the other fields are meaningless. */
  readonly gone: boolean
  /** Whether HEAD names no branch: a rebase or bisect is in progress, or a commit is checked out. */
  readonly detached: boolean
  /** What keeps git's own files, or the filters of the files, from being written; at most one of each code. */
  readonly faults: ReadonlyArray<CheckoutFault>
  /**
   * Files whose index or work tree differ from the commit, sorted; null where this look could not find out.
   */
  readonly dirty: ReadonlyArray<string> | null
}

/**
 * Looks at the disk. The cost is linear in the number of files: one `lstat` each, and one read for each
 * change of a file whose stat data in git's index does not prove it unchanged.
 */
export type LookAtCheckout = (files: ReadonlyArray<ServedFile>) => Promise<CheckoutSight>
