import { nfc } from '#protocol/atoms.js'
import { atOnce, forEachNestedInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import { applySplices, inOrder, type Splice } from './file-edit.js'
import type { Finding } from './finding.js'
import type { SourceFile } from './layout.js'
import { type Line, type Lines, linesOf, readLinesInSlices } from './lines.js'
import { lineFindings } from './near-misses.js'
import type { Block, Prose } from './rows/row-change.js'
import { readRowsInSlices } from './rows/rows.js'

/** A name in the form in which headings are compared and served: NFC, trimmed, inner blanks collapsed. */
export const headingOf = (text: string): string =>
  nfc(text)
    .replace(/[\s\u00a0]+/gu, ' ')
    .trim()

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

/** Blocks that an edit changes, before and after it. */
export interface ReachedBlocks {
  readonly before: ReadonlyArray<Block>
  readonly after: ReadonlyArray<Block>
}

/**
 * The blocks that splices of a file change, in groups; an edit never moves rows from one group to another,
 * and all other blocks keep their rows. Only the lines of these blocks are parsed again, so an edit of a
 * short block is cheap beside a very long one. When something is left open before or after the edit, the
 * whole file is one group.
 */
export const findReachedBlocks = (
  file: SourceFile,
  lines: Lines,
  splices: ReadonlyArray<Splice>,
): ReadonlyArray<ReachedBlocks> => {
  const isPlain = lines.unclosed === null && !lines.hidden.some(({ endLine }) => isStartAt(lines, endLine))
  const regions = isPlain ? regionsOf(lines, splices) : []
  const reached = regions.flatMap(region => blocksInRegion(file, lines, region) ?? [])
  return isPlain && reached.length === regions.length
    ? reached
    : [
        {
          before: blocksOf(file),
          after: blocksOf({ path: file.path, text: applySplices(file.text, splices) }),
        },
      ]
}

/** The content of a file of `### Heading` blocks (LAYOUT). */
interface Blocks {
  readonly blocks: ReadonlyArray<Block>
  /** Lines outside any block, including headers of level 1 and 2. */
  readonly outside: ReadonlyArray<Prose>
  readonly findings: ReadonlyArray<Finding>
}

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

/**
 * The lines of the whole blocks that splices touch, with those splices. It has no lines where an edit only
 * inserts blocks between others.
 */
interface Region {
  readonly from: number
  to: number
  readonly splices: Array<Splice>
}

const isStart = (line: Line): line is Header => line._tag === 'Header' && line.level <= 3

/** Whether a block begins in a line. */
const isStartAt = ({ lines }: Lines, number: number): boolean => {
  const line = lines[number - 1]
  return line !== undefined && isStart(line)
}

const isInsertion = ({ from, to }: Splice): boolean => to < from

/**
 * Whether the first line that a splice inserts with text is a header, so that no inserted line joins the
 * block before.
 */
const opensBlock = ({ lines }: Splice): boolean => {
  const first = linesOf(lines.join('\n')).lines.find(line => line._tag !== 'Blank')
  return first !== undefined && isStart(first)
}

/** Line numbers at which splices only insert whole blocks between two others. */
const placesBetween = (splices: ReadonlyArray<Splice>): ReadonlySet<number> => {
  const others = new Set(splices.filter(one => !isInsertion(one) || !opensBlock(one)).map(({ from }) => from))
  return new Set(splices.map(({ from }) => from).filter(from => !others.has(from)))
}

/**
 * Groups splices into regions in one pass over splices and headers. Removing a heading joins its block to the
 * one before, so the region then covers both.
 */
const regionsOf = ({ lines }: Lines, splices: ReadonlyArray<Splice>): ReadonlyArray<Region> => {
  const starts = lines.flatMap(line => (isStart(line) ? [line.number] : []))
  const end = lines.length + 1
  const between = placesBetween(splices)
  const regions: Array<Region> = []
  let next = 0
  for (const splice of [...splices].sort(inOrder)) {
    while ((starts[next] ?? end) < splice.from && next < starts.length) next += 1
    if (between.has(splice.from) && (starts[next] ?? end) === splice.from) {
      regions.push({ from: splice.from, to: splice.to, splices: [splice] })
      continue
    }
    const from = starts[next - 1] ?? 1
    while ((starts[next] ?? end) <= splice.to && next < starts.length) next += 1
    const to = (starts[next] ?? end) - 1
    const last = regions.at(-1)
    // A region of an insertion alone ends before it begins; what follows at its place belongs to it.
    if (last === undefined || from > Math.max(last.from, last.to))
      regions.push({ from, to, splices: [splice] })
    else {
      last.to = Math.max(last.to, to)
      last.splices.push(splice)
    }
  }
  return regions
}

/**
 * The blocks of a region; null when the edit leaves a fence, a comment or a conflict open in it, which reaches
 * beyond the region.
 */
const blocksInRegion = (file: SourceFile, { lines }: Lines, region: Region): ReachedBlocks | null => {
  const { from, to } = region
  const text = lines
    .slice(from - 1, to)
    .map(({ raw }) => raw)
    .join('\n')
  const splices = region.splices.map(one => ({ ...one, from: one.from - from + 1, to: one.to - from + 1 }))
  const changed = { path: file.path, text: applySplices(text, splices) }
  if (linesOf(changed.text).unclosed !== null) return null
  return {
    before: blocksOf(file).filter(({ line }) => line >= from && line <= to),
    after: blocksOf(changed),
  }
}
