import type { RepoPath } from '#protocol/atoms/path.js'
import type { Block } from '#src/lore/block.js'
import type { Finding } from '#src/lore/finding.js'
import type { SourceFile } from '#src/lore/source-file.js'

/** An index file as parsed: a function of its text alone, kept by blob id. */
export interface IndexFile {
  readonly path: RepoPath
  readonly blocks: ReadonlyArray<Block>
  readonly findings: ReadonlyArray<Finding>
}

export const parseIndexFile = (file: SourceFile): IndexFile => ({ path: file.path, blocks: [], findings: [] })
