import type { RepoPath } from '#protocol/atoms.js'
import { bounds } from '#protocol/bounds.js'
import { parseBlocksInSlices } from '#src/domain/lore/blocks.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import type { Block, Row } from '#src/domain/lore/rows/row-change.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'
import { atOnce, forEachNestedInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import { blockFindings } from './block-findings.js'
import type { Entity } from './entity.js'
import { entityOfBlock } from './reading.js'

/** A parsed index file. Depends on its text alone, so the result is cached by blob id. */
export interface IndexFile {
  readonly path: RepoPath
  readonly blocks: ReadonlyArray<Block>
  /** The entities of the blocks, with the rows of their own file only. */
  readonly entities: ReadonlyArray<Entity>
  readonly findings: ReadonlyArray<Finding>
}

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

/** For blocks with more rows, the parser yields between the steps of one block. */
const rowsAtOnce = 1_024

type Noted = readonly [line: number, kind: string, reason: string, suggestion: string]

const { nameChars, valueBytes, blockRows } = bounds

/** Most bytes of a UTF-16 code unit in UTF-8, so that short texts need not be measured. */
const bytesPerUnit = 3

const longName = (line: number, name: string, what: string): ReadonlyArray<Noted> =>
  name.length <= nameChars.limit
    ? []
    : [
        [
          line,
          'NameTooLong',
          `${what} ma za dużo znaków (${name.length}); limit to ${nameChars.limit}.`,
          'Nadaj krótszą nazwę.',
        ],
      ]

const longValue = ({ tag, value, line }: Row): ReadonlyArray<Noted> => {
  const bytes = value.length * bytesPerUnit <= valueBytes.limit ? 0 : Buffer.byteLength(value)
  return bytes <= valueBytes.limit
    ? []
    : [
        [
          line,
          'ValueTooLong',
          `Wartość @${tag} ma za dużo bajtów (${bytes}); limit to ${valueBytes.limit}.`,
          'Skróć wartość albo podziel ją na kilka wierszy.',
        ],
      ]
}

const longBlock = ({ line, rows }: Block): ReadonlyArray<Noted> =>
  rows.length <= blockRows.limit
    ? []
    : [
        [
          line,
          'BlockTooLong',
          `Blok ma za dużo wierszy (${rows.length}); limit to ${blockRows.limit}.`,
          'Usuń zbędne wiersze; do tego czasu host nie dopisze do bloku żadnego nowego.',
        ],
      ]

/** Findings of a block above the bounds of a write (D64). The block is read all the same. */
const boundFindings = (block: Block, file: RepoPath): ReadonlyArray<Finding> => {
  const noted = [
    ...longName(block.line, block.heading, 'Nagłówek'),
    ...longBlock(block),
    ...block.rows.flatMap(row =>
      nameTags.has(row.tag) ? longName(row.line, row.value, `@${row.tag}`) : longValue(row),
    ),
  ]
  return noted.map(([line, kind, reason, suggestion]) => ({
    kind,
    severity: 'warning',
    file,
    line,
    subject: block.heading.slice(0, nameChars.limit),
    reason,
    suggestion,
  }))
}
