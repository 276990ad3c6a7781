import type { BlobId, CommitId, RepoPath } from '#protocol/atoms.js'

/**
 * One committed file: its blob id and what the tree says of it. `bytes` is its size, null where only reading
 * tells.
 */
export interface TreeEntry {
  readonly path: RepoPath
  readonly blob: BlobId
  readonly bytes: number
}

/** An entry of the tree that cannot be a file of the snapshot, with the reason. */
export interface Skipped {
  readonly path: string
  readonly reason: 'symlink' | 'submodule' | 'folder' | 'path' | 'unreadable' | 'unlisted'
}

export interface TreeListing {
  readonly entries: ReadonlyArray<TreeEntry>
  readonly skipped: ReadonlyArray<Skipped>
}

/**
 * What a source serves now. Two `id`s are equal exactly where the files are: a tree id, or a hash over a
 * plain directory.
 */
export interface Head {
  readonly commit: CommitId | null
  readonly id: string
}

/** A commit has this file and git cannot read its object: the disk is damaged, or the clone is partial. */
export class LostObject extends Error {
  constructor({ path, blob }: Pick<TreeEntry, 'path' | 'blob'>) {
    super(
      `${path}: its object ${blob} is missing or damaged; run \`git fsck\`, then copy it from another clone`,
    )
  }
}

/** A tree of files read by content id: the HEAD of a git repository, or a plain directory. */
export interface TreeSource {
  readonly kind: 'git' | 'directory'
  readonly path: string
  /** Reads the current HEAD. A repository without a commit has the empty tree and no commit. */
  readonly head: () => Promise<Head>
  readonly list: (head: Head) => Promise<TreeListing>
  /**
   * Like `list`, for these paths only and without listing the tree. A path that does not exist is in neither
   * list. Throws where a folder on the way cannot be read.
   */
  readonly listAt: (head: Head, paths: ReadonlyArray<string>) => Promise<TreeListing>
  /**
   * The bytes of a file; null where a plain directory does not provide them. Throws `LostObject` where git
   * has no readable object: the caller must not treat the file as absent.
   */
  readonly read: (entry: TreeEntry) => Promise<Buffer | null>
  /**
   * The file at a path now, without listing the tree; null where there is none. Throws where its object is
   * lost.
   */
  readonly file: (path: string) => Promise<{ readonly blob: BlobId; readonly bytes: Buffer } | null>
  /** Whether `commit` is `head` or an ancestor of it. */
  readonly contains: (head: Head, commit: CommitId) => Promise<boolean>
  readonly close: () => Promise<void>
}
