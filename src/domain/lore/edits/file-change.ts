import type { BlobId, RepoPath } from '#protocol/atoms.js'

/**
 * One file of a planned commit. `before` is the blob that the plan read (null: the file did not exist), so
 * that the gate can refuse a plan made on another tree. `after` is the whole new text; null removes the file.
 */
export interface FileChange {
  readonly path: RepoPath
  readonly before: BlobId | null
  readonly after: string | null
}
