import { EntityType } from '#protocol/atoms.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { readHeader } from '../session-header.js'
import { type Conflict, type Side, type Three, takeChangedSide } from './conflict.js'
import {
  type MergeBlock,
  mergeBlockHeading,
  mergeBlockKey,
  mergeBlocksOf,
  mergeBlockType,
} from './merge-block.js'
import { pairRenamedBlocks } from './renamed-blocks.js'
import { clashKeyOf, mergeUnits } from './rows.js'
import { alignTexts, type Pairing, pairUnitsBy } from './sequences/alignment.js'
import { mergeSequence } from './sequences/sequence.js'
import type { SessionPlace } from './session-lists.js'
import { compareTexts } from './text-order.js'
import { type Piece, textOfPieces } from './unit.js'
import type { UnitRules } from './unit-rules.js'

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
