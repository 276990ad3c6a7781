import type { BlobId } from '#protocol/atoms/commit.js'
import type { RepoPath } from '#protocol/atoms/path.js'

/** One file of a change set: the content it expects (null: no file) and the text it leaves (null: removed). */
export interface FileChange {
  readonly path: RepoPath
  readonly before: BlobId | null
  readonly after: string | null
}
