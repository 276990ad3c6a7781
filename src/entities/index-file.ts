import type { RepoPath } from '#protocol/atoms/path.js'
import type { Block } from '#src/lore/block.js'
import { parseBlocks } from '#src/lore/blocks.js'
import type { Finding } from '#src/lore/finding.js'
import type { SourceFile } from '#src/lore/source-file.js'
import { blockFindings } from './block-findings.js'
import { boundFindings } from './bound-findings.js'
import type { Entity } from './entity.js'
import { entityOfBlock } from './entity-of-block.js'

/** An index file as parsed: a function of its text alone, kept by blob id. */
export interface IndexFile {
  readonly path: RepoPath
  readonly blocks: ReadonlyArray<Block>
  /** The entities of the blocks, with the rows of their own file only. */
  readonly entities: ReadonlyArray<Entity>
  readonly findings: ReadonlyArray<Finding>
}

/**
 * Reads an index file (LAYOUT). A block without a type that is one of the eight is a finding and no entity.
 */
export const parseIndexFile = (file: SourceFile): IndexFile => {
  const { blocks, findings } = parseBlocks(file)
  const entities = blocks.flatMap(block => entityOfBlock(block, file.path) ?? [])
  const own = blocks.flatMap(block => [
    ...blockFindings(block, file.path),
    ...boundFindings(block, file.path),
  ])
  return { path: file.path, blocks, entities, findings: [...findings, ...own] }
}
