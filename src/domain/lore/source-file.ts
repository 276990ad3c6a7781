import type { BlobId, RepoPath } from '#protocol/atoms.js'

/**
 * One file of the served commit. `text` has no BOM. `undecodable` is true when the bytes are not UTF-8
 * (`text` then has U+FFFD).
 */
export interface SourceFile {
  readonly path: RepoPath
  readonly blob: BlobId
  readonly text: string
  readonly undecodable: boolean
  /** Whether a BOM was removed. */
  readonly bom?: true
  /** The committed bytes could not be read: `text` is empty and tells nothing about the file. */
  readonly unread?: true
}
