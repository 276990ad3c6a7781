import { EntityType, foldSigns, nameKey } from '#protocol/atoms.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { headingOf } from '../blocks.js'
import { readHeader } from '../session-header.js'
import { mergeSequence } from './additions.js'
import { alignTexts, type Pairing, pairUnitsBy, stretches } from './alignment.js'
import { clashKeyOf, mergeUnits } from './rows.js'
import type { SessionPlace } from './session-lists.js'
import {
  type Conflict,
  compareTexts,
  type Piece,
  type Side,
  splitPieces,
  type Three,
  takeChangedSide,
  textOfPieces,
  type Unit,
  type UnitRules,
  unitsOf,
} from './units.js'

/** Merges three texts by block, and each block by row. */
export const mergeBlocks = function* (
  texts: Three<string>,
  stands: Side,
  conflicts: Array<Conflict>,
): Sliced<ReadonlyArray<MergeBlock>> {
  const three = {
    base: yield* mergeBlocksOf(texts.base),
    ours: yield* mergeBlocksOf(texts.ours),
    theirs: yield* mergeBlocksOf(texts.theirs),
  }
  return yield* mergeSequence(three, rulesOf(stands), stands, conflicts)
}

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

/** The type of a block for a merge: the value of its first `@typ`; `Gracz` in the section of the people. */
const mergeBlockType = ({ units, section }: MergeBlock): string =>
  ['gracz', 'gracze'].includes(nameKey(section))
    ? 'Gracz'
    : (units.find(unit => unit.row?.tag === 'typ')?.row?.value ?? '')

/** The heading of a block with its place, as written. */
const mergeBlockHeading = ({ level, section, heading }: MergeBlock): string =>
  `${level} ${section} ${heading ?? ''}`

/**
 * The key by which the sides of a merge have the same block: that of its name. A block without a type may be a
 * session, whose header keeps its case.
 */
const mergeBlockKey = (block: MergeBlock): string => {
  const type = mergeBlockType(block)
  const heading = mergeBlockHeading(block)
  return `${type === '' ? foldSigns(heading) : nameKey(heading)}\0${type}`
}

/** The keys by which blocks are paired, in the order of their use: an earlier one takes precedence. */
const blockKeys: ReadonlyArray<(block: MergeBlock) => string> = [
  block => `${mergeBlockHeading(block)}\0${mergeBlockType(block)}`,
  mergeBlockKey,
  mergeBlockHeading,
]

const pairBlocks = function* (
  base: ReadonlyArray<MergeBlock>,
  side: ReadonlyArray<MergeBlock>,
): Sliced<Pairing> {
  let pairing = yield* alignTexts(
    base.map(block => block.text),
    side.map(block => block.text),
  )
  for (const keyOf of blockKeys) pairing = yield* pairUnitsBy(pairing, base, side, keyOf)
  return yield* pairRenamedBlocks(pairing, base, side)
}

/** Blank lines never conflict: the side that changed them wins, and when both did, the longer one. */
const tailOf = ({ base, ours, theirs }: Three<MergeBlock>): MergeBlock => {
  const raw = (block: MergeBlock): string => block.tail.map(piece => piece.raw).join('')
  const [one, two] = [raw(ours), raw(theirs)]
  const kept = takeChangedSide({ base: raw(base), ours: one, theirs: two })
  if (kept !== undefined) return kept === one ? ours : theirs
  return one.length > two.length || (one.length === two.length && one < two) ? ours : theirs
}

const headOf = (blocks: Three<MergeBlock>, stands: Side, conflicts: Array<Conflict>): Piece | null => {
  const { base, ours, theirs } = blocks
  const raw = (block: MergeBlock): string => block.head?.line.raw ?? ''
  const kept = takeChangedSide({ base: raw(base), ours: raw(ours), theirs: raw(theirs) })
  if (kept !== undefined) return kept === raw(ours) ? ours.head : theirs.head
  conflicts.push({ block: base.heading, row: null, cause: 'changed' })
  return blocks[stands].head
}

const isSession = (block: MergeBlock): boolean =>
  block.level === 3 && mergeBlockType(block) === '' && readHeader(block.heading ?? '')._tag === 'Session'

const join = function* (
  blocks: Three<MergeBlock>,
  stands: Side,
  conflicts: Array<Conflict>,
): Sliced<MergeBlock> {
  const { base, ours, theirs } = blocks
  const type =
    [mergeBlockType(base), mergeBlockType(ours), mergeBlockType(theirs)].find(EntityType.is) ?? null
  const place: SessionPlace | null = isSession(ours) ? 'Session' : null
  const within = { block: base.heading, type, stands, depth: 0, place }
  const three = { base: base.units, ours: ours.units, theirs: theirs.units }
  const head = headOf(blocks, stands, conflicts)
  const units = yield* mergeUnits(three, within, conflicts)
  const { tail } = tailOf(blocks)
  const isLast = takeChangedSide({ base: base.isLast, ours: ours.isLast, theirs: theirs.isLast }) ?? false
  const pieces = [...(head === null ? [] : [head]), ...units.flatMap(unit => unit.pieces)]
  return { ...ours, head, units, tail, text: textOfPieces(pieces), isLast }
}

const isRows = (block: MergeBlock): boolean => block.units.every(unit => unit.row !== null)

/**
 * The key under which two added blocks may become one: heading and type. Null unless the block is a session or has
 * rows alone.
 */
const uniteKeyOf = (block: MergeBlock): string | null =>
  block.level < 3 || !(isSession(block) || isRows(block)) ? null : mergeBlockKey(block)

/** The rows of a block that exclude each other, grouped by their clash key. */
type Alone = ReadonlyMap<string, ReadonlySet<string>>

const aloneOf = (block: MergeBlock): Alone => {
  const type = mergeBlockType(block)
  const alone = new Map<string, Set<string>>()
  for (const unit of block.units) {
    const key = clashKeyOf(unit, EntityType.is(type) ? type : null)
    if (key !== null) alone.set(key, (alone.get(key) ?? new Set()).add(unit.text))
  }
  return alone
}

const isWithin = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean => {
  if (one.size > other.size) return false
  for (const text of one) if (!other.has(text)) return false
  return true
}

/** Whether no row of one block excludes a row of the other, so that merging the two gives no conflict. */
const canStandTogether = (one: Alone, other: Alone): boolean => {
  const [small, large] = one.size <= other.size ? [one, other] : [other, one]
  for (const [key, texts] of small) {
    const there = large.get(key)
    if (there !== undefined && !isWithin(texts, there) && !isWithin(there, texts)) return false
  }
  return true
}

/** Of two spellings of one heading the smaller text stays: the one with an ASCII apostrophe or hyphen. */
const unite = (
  ours: MergeBlock,
  theirs: MergeBlock,
  stands: Side,
  conflicts: Array<Conflict>,
): Sliced<MergeBlock> => {
  const [first, other] = ours.text < theirs.text ? [ours, theirs] : [theirs, ours]
  const base = { ...first, head: other.head, units: [], tail: [], text: other.head?.line.raw ?? '' }
  return join({ base, ours, theirs }, stands, conflicts)
}

/**
 * The lines before the first header come first, and a new section after the blocks of the section before it.
 */
const rank = ({ level }: MergeBlock): number => (level === 0 ? 0 : level === 3 ? 1 : 2)

const rulesOf = (stands: Side): UnitRules<MergeBlock> => {
  const known = new Map<MergeBlock, Alone>()
  const alone = (block: MergeBlock): Alone => {
    const found = known.get(block) ?? aloneOf(block)
    known.set(block, found)
    return found
  }
  return {
    pairs: pairBlocks,
    key: block => block.text,
    join: (blocks, conflicts) => join(blocks, stands, conflicts),
    removed: block => ({ block: block.heading, row: null, cause: 'removed' }),
    uniteKey: uniteKeyOf,
    canUnite: (ours, theirs) => isSession(ours) || canStandTogether(alone(ours), alone(theirs)),
    unite: (ours, theirs, conflicts) => unite(ours, theirs, stands, conflicts),
    clashKey: () => null,
    clash: block => ({ block: block.heading, row: null, cause: 'added' }),
    sticks: (block, run) => block.level > 2 && (run[0]?.level ?? 3) < 3,
    isLoose: () => true,
    compare: (one, other) => rank(one) - rank(other) || compareTexts(one.text, other.text),
  }
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
const mergeBlocksOf = function* (text: string): Sliced<ReadonlyArray<MergeBlock>> {
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

/**
 * How many units one search for renamed blocks looks up. A rename that is not found by then counts as a
 * removal and an addition.
 */
const lookupsMax = 2_000_000

const lookupsPerSlice = 20_000

/** Blocks of a side that have no partner yet, by the stretch that contains them. */
const freeByStretch = (
  pairing: Pairing,
  side: ReadonlyArray<MergeBlock>,
  stretch: ReadonlyArray<number>,
): ReadonlyMap<number, Set<number>> => {
  const taken = new Set(pairing)
  const free = new Map<number, Set<number>>()
  side.forEach((_, place) => {
    if (taken.has(place)) return
    const key = stretch[place] ?? -1
    const places = free.get(key) ?? new Set()
    free.set(key, places.add(place))
  })
  return free
}

/**
 * Pairs a block with a block of another heading in the same stretch that kept most of its lines. Looks up at
 * most `lookupsMax` units.
 */
const pairRenamedBlocks = function* (
  pairing: Pairing,
  base: ReadonlyArray<MergeBlock>,
  side: ReadonlyArray<MergeBlock>,
): Sliced<Pairing> {
  if (!pairing.includes(-1)) return pairing
  const places = stretches(pairing, side.length)
  const free = freeByStretch(pairing, side, places.side)
  const paired = [...pairing]
  let [lookups, rested] = [0, 0]
  for (const [at, block] of base.entries()) {
    const candidates =
      (pairing[at] ?? -1) >= 0 || block.level < 3 ? undefined : free.get(places.base[at] ?? -1)
    if (candidates === undefined || candidates.size === 0) continue
    const texts = new Set(block.units.map(unit => unit.text))
    for (const place of candidates) {
      const other = side[place]
      if (other === undefined || lookups > lookupsMax) break
      lookups += 1
      if (lookups - rested > lookupsPerSlice) {
        rested = lookups
        yield
      }
      const needed = (block.units.length + other.units.length) / 3
      if (block.level !== other.level || needed >= other.units.length) continue
      lookups += other.units.length
      const shared = other.units.filter(unit => unit.kind !== 'blank' && texts.has(unit.text)).length
      if (shared <= needed || shared < 2) continue
      paired[at] = place
      candidates.delete(place)
      break
    }
  }
  return paired
}
