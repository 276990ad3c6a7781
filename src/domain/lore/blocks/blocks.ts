import { nfc } from '#protocol/atoms.js'
import { atOnce, forEachNestedInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import type { Finding } from '../finding.js'
import { lineFindings } from '../lines/line-findings.js'
import { type Line, readLinesInSlices } from '../lines/lines.js'
import { readRowsInSlices } from '../rows/rows.js'
import type { SourceFile } from '../source-file.js'
import type { Block, Prose } from './block.js'

/** The content of a file of `### Heading` blocks (LAYOUT). */
export interface Blocks {
  readonly blocks: ReadonlyArray<Block>
  /** Lines outside any block, including headers of level 1 and 2. */
  readonly outside: ReadonlyArray<Prose>
  readonly findings: ReadonlyArray<Finding>
}

/** A name in the form in which headings are compared and served: NFC, trimmed, inner blanks collapsed. */
export const headingOf = (text: string): string =>
  nfc(text)
    .replace(/[\s\u00a0]+/gu, ' ')
    .trim()

type Header = Extract<Line, { _tag: 'Header' }>

const blockOf = function* (
  file: Pick<SourceFile, 'path' | 'text'>,
  header: Header,
  section: string | null,
  below: ReadonlyArray<Line>,
): Sliced<{ readonly block: Block; readonly findings: ReadonlyArray<Finding> }> {
  const heading = headingOf(header.text)
  const { rows, prose, findings } = yield* readRowsInSlices(below, file.path, heading)
  const last = below.findLast(line => line._tag !== 'Blank' && line._tag !== 'Hidden')
  const endLine = last?.number ?? header.number
  return { block: { heading, section, line: header.number, endLine, rows, prose }, findings }
}

const readBefore = new WeakMap<object, ReadonlyArray<Block>>()

/** The blocks of a file. A file object that was parsed before is not parsed again. */
export const blocksOf = (file: Pick<SourceFile, 'path' | 'text'>): ReadonlyArray<Block> =>
  readBefore.get(file) ?? parseBlocks(file).blocks

/**
 * Parses the blocks of an index file or of the contributor store; yields between blocks and within long ones.
 * A block ends at the next header of level 1 to 3; a deeper header is prose. Every line that shows is a
 * heading, in a row, in `prose` or in `outside`; below a heading without text nothing is a row. Never throws.
 */
export const parseBlocksInSlices = function* (file: Pick<SourceFile, 'path' | 'text'>): Sliced<Blocks> {
  const { lines, notices } = yield* readLinesInSlices(file.text)
  const starts = lines.filter((line): line is Header => line._tag === 'Header' && line.level <= 3)
  const blocks: Array<Block> = []
  const outside: Array<Prose> = []
  const findings: Array<Finding> = [...lineFindings(file.path, notices)]
  const keep = (line: Line): void => {
    if (line._tag !== 'Blank' && line._tag !== 'Hidden') outside.push({ line: line.number, text: line.raw })
  }
  lines.slice(0, (starts[0]?.number ?? lines.length + 1) - 1).forEach(keep)
  let section: string | null = null
  yield* forEachNestedInSlices(starts.entries(), function* ([at, header]) {
    const below = lines.slice(header.number, (starts[at + 1]?.number ?? lines.length + 1) - 1)
    if (header.level < 3 || header.text === '') {
      if (header.level < 3) section = header.level === 2 ? headingOf(header.text) : null
      keep(header)
      below.forEach(keep)
      return
    }
    const read = yield* blockOf(file, header, section, below)
    blocks.push(read.block)
    for (const finding of read.findings) findings.push(finding)
  })
  readBefore.set(file, blocks)
  return { blocks, outside, findings }
}

/** Runs `parseBlocksInSlices` to its end without yielding. */
export const parseBlocks = (file: Pick<SourceFile, 'path' | 'text'>): Blocks =>
  atOnce(parseBlocksInSlices(file))
