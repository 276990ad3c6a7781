import { EntityType } from '#protocol/atoms.js'
import { headingOf } from '#src/domain/lore/blocks.js'
import {
  type Conflict,
  type Piece,
  type Side,
  splitPieces,
  type Three,
  takeChangedSide,
  textOfPieces,
  type Unit,
  unitsOf,
} from '#src/domain/lore/merging/units.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import {
  alignQuadratically,
  pairByQuadratically,
  type QuadraticPairing,
  quadraticStretchesOf,
} from './alignment.js'
import { mergeUnitsQuadratically } from './rows.js'
import { mergeSequenceQuadratically, type QuadraticUnitRules } from './sequence.js'

/** A header of level 1 to 3 with the lines below it; the first block of a file has no header. */
export interface QuadraticBlock {
  readonly head: Piece | null
  readonly level: number
  readonly section: string
  readonly heading: string | null
  readonly units: ReadonlyArray<Unit>
  /** The blank lines after it, which separate it from the next. */
  readonly tail: ReadonlyArray<Piece>
  readonly text: string
  readonly isLast: boolean
}

const blockOf = (pieces: ReadonlyArray<Piece>, section: string, isLast: boolean): QuadraticBlock => {
  const head = pieces[0]?.line._tag === 'Header' && pieces[0].line.level <= 3 ? pieces[0] : null
  const end = pieces.findLastIndex(piece => piece.line._tag !== 'Blank') + 1
  const own = pieces.slice(0, end)
  const header = head?.line._tag === 'Header' ? head.line : null
  return {
    head,
    level: header?.level ?? 0,
    section,
    heading: header === null ? null : headingOf(header.text),
    units: atOnce(unitsOf(head === null ? own : own.slice(1))),
    tail: pieces.slice(end),
    text: textOfPieces(own),
    isLast,
  }
}

/** The blocks of a text, in order; every line is in one of them. */
export const quadraticBlocksOf = (text: string): ReadonlyArray<QuadraticBlock> => {
  const pieces = atOnce(splitPieces(text))
  const starts = pieces.flatMap(({ line }, at) => (line._tag === 'Header' && line.level <= 3 ? [at] : []))
  const bounds = starts[0] === 0 ? starts : [0, ...starts]
  let section = ''
  return bounds.map((start, at) => {
    const block = blockOf(pieces.slice(start, bounds[at + 1]), section, at === bounds.length - 1)
    if (block.level === 2) section = block.heading ?? ''
    if (block.level === 1) section = ''
    return block
  })
}

const typeOf = ({ units, section }: QuadraticBlock): string =>
  section === 'Gracz' ? section : (units.find(unit => unit.row?.tag === 'typ')?.row?.value ?? '')

const nameOf = ({ level, section, heading }: QuadraticBlock): string => `${level} ${section} ${heading ?? ''}`

/** A block whose heading was changed: in the same stretch, with most of its lines unchanged. */
const pairRenamed = (
  pairing: QuadraticPairing,
  base: ReadonlyArray<QuadraticBlock>,
  side: ReadonlyArray<QuadraticBlock>,
): QuadraticPairing => {
  const taken = new Set(pairing)
  const places = quadraticStretchesOf(pairing, side.length)
  const isLike = (one: QuadraticBlock, other: QuadraticBlock): boolean => {
    const texts = new Set(one.units.map(unit => unit.text))
    const shared = other.units.filter(unit => unit.kind !== 'blank' && texts.has(unit.text)).length
    return one.level === other.level && shared * 3 > one.units.length + other.units.length && shared > 1
  }
  return pairing.map((partner, at) => {
    const block = base[at]
    if (partner >= 0 || block === undefined || block.level < 3) return partner
    const found = side.findIndex(
      (other, place) => !taken.has(place) && places.side[place] === places.base[at] && isLike(block, other),
    )
    taken.add(found)
    return found
  })
}

const pairBlocks = (
  base: ReadonlyArray<QuadraticBlock>,
  side: ReadonlyArray<QuadraticBlock>,
): QuadraticPairing => {
  const exact = alignQuadratically(
    base.map(block => block.text),
    side.map(block => block.text),
  )
  const typed = pairByQuadratically(exact, base, side, block => `${nameOf(block)} ${typeOf(block)}`)
  return pairRenamed(pairByQuadratically(typed, base, side, nameOf), base, side)
}

/**
 * Blank lines never conflict: the version of the side that changed them is used, of two changes the longer
 * one.
 */
const tailOf = ({ base, ours, theirs }: Three<QuadraticBlock>): QuadraticBlock => {
  const raw = (block: QuadraticBlock): string => block.tail.map(piece => piece.raw).join('')
  const [one, two] = [raw(ours), raw(theirs)]
  const kept = takeChangedSide({ base: raw(base), ours: one, theirs: two })
  if (kept !== undefined) return kept === one ? ours : theirs
  return one.length > two.length || (one.length === two.length && one < two) ? ours : theirs
}

const headOf = (blocks: Three<QuadraticBlock>, stands: Side, conflicts: Array<Conflict>): Piece | null => {
  const { base, ours, theirs } = blocks
  const raw = (block: QuadraticBlock): string => block.head?.line.raw ?? ''
  const kept = takeChangedSide({ base: raw(base), ours: raw(ours), theirs: raw(theirs) })
  if (kept !== undefined) return kept === raw(ours) ? ours.head : theirs.head
  conflicts.push({ block: base.heading, row: null, cause: 'changed' })
  return blocks[stands].head
}

const join = (blocks: Three<QuadraticBlock>, stands: Side, conflicts: Array<Conflict>): QuadraticBlock => {
  const { base, ours, theirs } = blocks
  const type = [typeOf(base), typeOf(ours), typeOf(theirs)].find(EntityType.is) ?? null
  const within = { block: base.heading, type, stands }
  const three = { base: base.units, ours: ours.units, theirs: theirs.units }
  const head = headOf(blocks, stands, conflicts)
  const units = mergeUnitsQuadratically(three, within, conflicts)
  const { tail } = tailOf(blocks)
  const isLast = takeChangedSide({ base: base.isLast, ours: ours.isLast, theirs: theirs.isLast }) ?? false
  const pieces = [...(head === null ? [] : [head]), ...units.flatMap(unit => unit.pieces)]
  return { ...ours, head, units, tail, text: textOfPieces(pieces), isLast }
}

const isRows = (block: QuadraticBlock): boolean => block.units.every(unit => unit.row !== null)

/**
 * Two added blocks with one heading become one where both have only rows without conflict; otherwise both
 * stay.
 */
const unite = (ours: QuadraticBlock, theirs: QuadraticBlock): QuadraticBlock | null => {
  if (ours.level < 3 || nameOf(ours) !== nameOf(theirs) || typeOf(ours) !== typeOf(theirs)) return null
  if (!isRows(ours) || !isRows(theirs)) return null
  const conflicts: Array<Conflict> = []
  const first = ours.text < theirs.text ? ours : theirs
  const base = { ...first, units: [], tail: [], text: first.head?.line.raw ?? '' }
  const united = join({ base, ours, theirs }, 'ours', conflicts)
  return conflicts.length > 0 ? null : united
}

const inOrder = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Text without a header comes first; a new section comes after the blocks that continue the one before. */
const rank = ({ level }: QuadraticBlock): number => (level === 0 ? 0 : level === 3 ? 1 : 2)

const rulesOf = (stands: Side): QuadraticUnitRules<QuadraticBlock> => ({
  pairs: pairBlocks,
  isSame: (one, other) => one.text === other.text,
  join: (blocks, conflicts) => join(blocks, stands, conflicts),
  removed: block => ({ block: block.heading, row: null, cause: 'removed' }),
  unite,
  clash: () => null,
  sticks: (block, run) => block.level > 2 && (run[0]?.level ?? 3) < 3,
  isLoose: () => true,
  compare: (one, other) => rank(one) - rank(other) || inOrder(one.text, other.text),
})

/** Merges three texts by block, and within a block by row. */
export const mergeBlocksQuadratically = (
  texts: Three<string>,
  stands: Side,
  conflicts: Array<Conflict>,
): ReadonlyArray<QuadraticBlock> =>
  mergeSequenceQuadratically(
    {
      base: quadraticBlocksOf(texts.base),
      ours: quadraticBlocksOf(texts.ours),
      theirs: quadraticBlocksOf(texts.theirs),
    },
    rulesOf(stands),
    stands,
    conflicts,
  )
