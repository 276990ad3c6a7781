import type { RepoPath } from '#protocol/atoms.js'
import type { Block } from '#src/domain/lore/blocks/block.js'
import { parseBlocksInSlices } from '#src/domain/lore/blocks/blocks.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { atOnce, forEachNestedInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import type { Entity } from '../entity.js'
import { blockFindings } from './block-findings.js'
import { boundFindings } from './bound-findings.js'
import { entityOfBlock } from './entity-of-block.js'

/** A parsed index file. Depends on its text alone, so the result is cached by blob id. */
export interface IndexFile {
  readonly path: RepoPath
  readonly blocks: ReadonlyArray<Block>
  /** The entities of the blocks, with the rows of their own file only. */
  readonly entities: ReadonlyArray<Entity>
  readonly findings: ReadonlyArray<Finding>
}

/** For blocks with more rows, the parser yields between the steps of one block. */
const rowsAtOnce = 1_024

/**
 * Parses an index file (LAYOUT); yields between blocks and within long ones. A block whose type is none of
 * the eight is a finding and no entity.
 */
export const readIndexFileInSlices = function* (file: SourceFile): Sliced<IndexFile> {
  const { blocks, findings } = yield* parseBlocksInSlices(file)
  const entities: Array<Entity> = []
  const all = [...findings]
  yield* forEachNestedInSlices(blocks, function* (block) {
    const isLong = block.rows.length > rowsAtOnce
    const entity = entityOfBlock(block, file.path)
    if (entity !== null) entities.push(entity)
    if (isLong) yield
    for (const finding of blockFindings(block, file.path)) all.push(finding)
    if (isLong) yield
    for (const finding of boundFindings(block, file.path)) all.push(finding)
  })
  return { path: file.path, blocks, entities, findings: all }
}

/** Runs `readIndexFileInSlices` to its end without yielding. */
export const parseIndexFile = (file: SourceFile): IndexFile => atOnce(readIndexFileInSlices(file))
