import { foldSigns, nameKey } from '#protocol/atoms.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { headingOf } from '../blocks/blocks.js'
import { type Piece, splitPieces, textOfPieces, type Unit, unitsOf } from './unit.js'

/** A header of level 1 to 3 with the lines below it. The first block of a file may have no header. */
export interface MergeBlock {
  readonly head: Piece | null
  readonly level: number
  readonly section: string
  readonly heading: string | null
  readonly units: ReadonlyArray<Unit>
  /** The blank lines at its end, which separate it from the next block. */
  readonly tail: ReadonlyArray<Piece>
  readonly text: string
  readonly isLast: boolean
}

const blockOf = function* (
  pieces: ReadonlyArray<Piece>,
  section: string,
  isLast: boolean,
): Sliced<MergeBlock> {
  const head = pieces[0]?.line._tag === 'Header' && pieces[0].line.level <= 3 ? pieces[0] : null
  const end = pieces.findLastIndex(piece => piece.line._tag !== 'Blank') + 1
  const own = pieces.slice(0, end)
  const header = head?.line._tag === 'Header' ? head.line : null
  return {
    head,
    level: header?.level ?? 0,
    section,
    heading: header === null ? null : headingOf(header.text),
    units: yield* unitsOf(head === null ? own : own.slice(1)),
    tail: pieces.slice(end),
    text: textOfPieces(own),
    isLast,
  }
}

const blocksPerSlice = 32

/** The blocks of a text, in order; every line belongs to one of them. */
export const mergeBlocksOf = function* (text: string): Sliced<ReadonlyArray<MergeBlock>> {
  const pieces = yield* splitPieces(text)
  const starts = pieces.flatMap(({ line }, at) => (line._tag === 'Header' && line.level <= 3 ? [at] : []))
  const bounds = starts[0] === 0 ? starts : [0, ...starts]
  const blocks: Array<MergeBlock> = []
  let section = ''
  for (const [at, start] of bounds.entries()) {
    if (at % blocksPerSlice === blocksPerSlice - 1) yield
    const isLast = at === bounds.length - 1
    const block = yield* blockOf(pieces.slice(start, bounds[at + 1]), section, isLast)
    if (block.level === 2) section = block.heading ?? ''
    if (block.level === 1) section = ''
    blocks.push(block)
  }
  return blocks
}

/** The type of a block for a merge: the value of its first `@typ`; `Gracz` in the section of the people. */
export const mergeBlockType = ({ units, section }: MergeBlock): string =>
  ['gracz', 'gracze'].includes(nameKey(section))
    ? 'Gracz'
    : (units.find(unit => unit.row?.tag === 'typ')?.row?.value ?? '')

/** The heading of a block with its place, as written. */
export const mergeBlockHeading = ({ level, section, heading }: MergeBlock): string =>
  `${level} ${section} ${heading ?? ''}`

/**
 * The key by which the sides of a merge have the same block: that of its name. A block without a type may be a
 * session, whose header keeps its case.
 */
export const mergeBlockKey = (block: MergeBlock): string => {
  const type = mergeBlockType(block)
  const heading = mergeBlockHeading(block)
  return `${type === '' ? foldSigns(heading) : nameKey(heading)}\0${type}`
}
