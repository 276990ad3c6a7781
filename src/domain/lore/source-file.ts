import type { BlobId } from '#protocol/atoms/commit.js'
import type { RepoPath } from '#protocol/atoms/path.js'

/**
 * One file of the served commit. `text` had a BOM cut off; `undecodable` when the bytes are not UTF-8 (then
 * `text` has U+FFFD).
 */
export interface SourceFile {
  readonly path: RepoPath
  readonly blob: BlobId
  readonly text: string
  readonly undecodable: boolean
  /** Whether a BOM was cut off. */
  readonly bom?: true
  /** The committed bytes could not be read: `text` is empty and says nothing of the file. */
  readonly unread?: true
}
