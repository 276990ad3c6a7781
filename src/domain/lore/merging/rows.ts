import type { EntityType } from '#protocol/atoms.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { isKnownTag, tagRule, tagRules } from '../tag-schema.js'
import { mergeSequence } from './additions.js'
import { alignTexts, type Pairing, pairUnitsBy, stretches } from './alignment.js'
import { type SessionPlace, sessionRules } from './session-lists.js'
import {
  type Conflict,
  compareTexts,
  itemOf,
  type Piece,
  type Side,
  type Three,
  takeChangedSide,
  type Unit,
  type UnitRules,
  unitsOf,
} from './units.js'

/** Where the merged lines are, and which side's version is kept where the sides conflict. */
export interface Within {
  /** Heading of the block, for `Conflict.block`. */
  readonly block: string | null
  /**
   * Type of the block. Null when the block does not name it, and below a list item: a tag then has one value
   * only if it has one in every type that has the tag.
   */
  readonly type: EntityType | null
  readonly stands: Side
  /** Number of list items around the lines; 0 directly below a heading. */
  readonly depth: number
  /** Where the lines are in a session; null outside sessions. */
  readonly place: SessionPlace | null
}

/**
 * The key of a row whose tag has one value at a time: its tag and its first day, empty when it states none.
 * Of two rows with one key and different texts, one added by each side, a merge keeps only one. Rows with
 * equal texts are one row and never exclude each other. Null for a unit that excludes no other: one that is
 * no row, or whose tag may have several values or is known to no type.
 */
export const clashKeyOf = ({ row }: Unit, type: EntityType | null): string | null =>
  row !== null && isSingle(row.tag, type) ? `${row.tag} ${row.from ?? ''}` : null

/**
 * Merges the lines below a heading or an item, by row (D30), and returns the merged units. Appends a
 * conflict to `conflicts` for each unit that both sides changed differently or that one side changed and the
 * other removed, and for two rows that the sides added under one `clashKeyOf`. There it keeps the version of
 * `within.stands`, which may be the removal. Every other change of both sides is taken.
 *
 * Two changes of one unit are no conflict when both only closed the same open row (the earlier last day is
 * kept), or when both left the first line of a list as it was (the items below it are merged, up to
 * `depthMax` deep).
 */
export const mergeUnits = (
  three: Three<ReadonlyArray<Unit>>,
  within: Within,
  conflicts: Array<Conflict>,
): Sliced<ReadonlyArray<Unit>> => mergeSequence(three, rulesWithin(within), within.stands, conflicts)

/** Depth up to which nested lists are merged item by item; a deeper item is one value. */
const depthMax = 32

const singles = new Map<string, boolean>()

/** By the rule of the type; without one, whether the tag has one value in every type that has it. */
const hasOneValue = (tag: string, type: EntityType | null): boolean => {
  const rule = type === null ? null : tagRule(tag, type)
  if (rule !== null) return !rule.multi
  const rules = tagRules.filter(one => one.tag === tag)
  return rules.length > 0 && rules.every(one => !one.multi)
}

/** Whether a tag has one value at a time. A tag that no type knows may have any number. */
const isSingle = (tag: string, type: EntityType | null): boolean => {
  if (!isKnownTag(tag)) return false
  const key = `${type ?? ''} ${tag}`
  const known = singles.get(key) ?? hasOneValue(tag, type)
  singles.set(key, known)
  return known
}

/** The name of a unit in a report: its tag, the label of an item, or the first 80 characters of a line. */
const nameOf = (unit: Unit): string => {
  const line = unit.pieces[0]?.line
  if (unit.row !== null) return `@${unit.row.tag}`
  if (line?._tag === 'Item') return (line.text.split(':')[0] ?? line.text).slice(0, 80)
  return (line?.raw.trim() ?? '').slice(0, 80)
}

const label = (unit: Unit): string | null => {
  const line = unit.pieces[0]?.line
  return unit.row === null && line?._tag === 'Item' && line.text.includes(':') ? nameOf(unit) : null
}

const sortOf = (unit: Unit): string => (unit.row === null ? unit.kind : `@${unit.row.tag}`)

/** Pairs, in order, the remaining units of the same sort within one stretch. */
const pairInTurn = function* (
  pairing: Pairing,
  base: ReadonlyArray<Unit>,
  side: ReadonlyArray<Unit>,
  sort: (unit: Unit) => string,
): Sliced<Pairing> {
  if (!pairing.includes(-1)) return pairing
  const places = stretches(pairing, side.length)
  return yield* pairUnitsBy(
    pairing,
    base,
    side,
    (unit, at, list) => `${places[list][at] ?? -1} ${sort(unit)}`,
  )
}

/** The keys by which units are paired, in the order of their use: an earlier one takes precedence. */
const matches: ReadonlyArray<(unit: Unit) => string | null> = [
  unit => (unit.kind === 'item' ? unit.text : null),
  ({ row }) => (row === null || row.value === '' ? null : `${row.tag} ${row.value}`),
  ({ row }) => (row === null || row.from === null ? null : `${row.tag} ${row.from}`),
  label,
]

/**
 * Pairs the units of the base with those of a side: equal units in their order first, then equal items that
 * were moved, rows by tag and value (the range was closed), rows by tag and first day (the value was
 * changed), items by label, and the rest in order within one stretch. `keys` come before all but equal units; one that
 * has the last of them is paired by nothing else.
 */
const pairUnits = function* (
  base: ReadonlyArray<Unit>,
  side: ReadonlyArray<Unit>,
  keys: ReadonlyArray<(unit: Unit) => string | null> = [],
): Sliced<Pairing> {
  let pairing = yield* alignTexts(base.map(textOfUnit), side.map(textOfUnit))
  const name = keys.at(-1) ?? (() => null)
  for (const match of keys) pairing = yield* pairUnitsBy(pairing, base, side, match)
  for (const match of matches)
    pairing = yield* pairUnitsBy(pairing, base, side, unit => (name(unit) === null ? match(unit) : null))
  return yield* pairInTurn(pairing, base, side, unit => name(unit) ?? sortOf(unit))
}

const textOfUnit = (unit: Unit): string => unit.text

/** Units with equal texts may still differ in their line ends: the side that changed them wins. */
const sameText = ({ base, ours, theirs }: Three<Unit>): Unit => {
  const raw = (unit: Unit): string => unit.pieces.map(piece => piece.raw).join('')
  const kept = takeChangedSide({ base: raw(base), ours: raw(ours), theirs: raw(theirs) })
  if (kept !== undefined) return kept === raw(ours) ? ours : theirs
  return raw(ours) < raw(theirs) ? ours : theirs
}

/**
 * The unit to keep when both sides closed one open row: the one with the earlier last day, because what
 * follows the row begins then (D30 "by range"). Null for any other change.
 */
const pickEarlierClose = ({ base, ours, theirs }: Three<Unit>): Unit | null => {
  const [from, one, two] = [base.row, ours.row, theirs.row]
  if (from === null || one === null || two === null || from.to !== null) return null
  if (one.to === null || two.to === null || ours.pieces.length + theirs.pieces.length > 2) return null
  const alike = [one, two].every(row => row.value === from.value && row.from === from.from)
  return !alike ? null : one.to < two.to || (one.to === two.to && ours.text < theirs.text) ? ours : theirs
}

/**
 * Whether all three units begin with the same line that introduces a list, so that their items are merged one
 * by one.
 */
const listHead = ({ base, ours, theirs }: Three<Unit>): boolean => {
  const heads = [base, ours, theirs].map(unit => unit.pieces[0]?.line)
  const first = heads[0]
  return (
    first?._tag === 'Item' &&
    (first.text.endsWith(':') || !first.text.includes(':')) &&
    heads.every(line => line?.raw === first.raw)
  )
}

/** Merges, one by one, the items below a first line that all three versions share. */
const joinLists = function* (
  { base, ours, theirs }: Three<Unit>,
  head: Piece,
  within: Within,
  conflicts: Array<Conflict>,
): Sliced<Unit> {
  const three = {
    base: yield* unitsOf(base.pieces.slice(1)),
    ours: yield* unitsOf(ours.pieces.slice(1)),
    theirs: yield* unitsOf(theirs.pieces.slice(1)),
  }
  const below = { ...within, type: null, depth: within.depth + 1, place: null }
  return itemOf(head, yield* mergeUnits(three, below, conflicts))
}

const join = function* (units: Three<Unit>, within: Within, conflicts: Array<Conflict>): Sliced<Unit> {
  const { base, ours, theirs } = units
  const text = takeChangedSide({ base: base.text, ours: ours.text, theirs: theirs.text })
  if (ours.text === theirs.text && ours.text === base.text) return sameText(units)
  if (text !== undefined) return text === ours.text ? ours : theirs
  const closed = pickEarlierClose(units)
  if (closed !== null) return closed
  const head = ours.pieces[0]
  if (head !== undefined && within.depth < depthMax && listHead(units))
    return yield* joinLists(units, head, within, conflicts)
  conflicts.push({ block: within.block, row: nameOf(base), cause: 'changed' })
  return within.stands === 'ours' ? ours : theirs
}

/** Sort key: rows of one tag by their first day, everything else by text. */
const orderKeyOf = ({ row, text }: Unit): string =>
  row === null ? text : [`- @${row.tag}`, row.from ?? '', text].join('\u0000')

const rulesWithin = (within: Within): UnitRules<Unit> => {
  const orderKeys = new Map<Unit, string>()
  const orderKey = (unit: Unit): string => {
    const key = orderKeys.get(unit) ?? orderKeyOf(unit)
    orderKeys.set(unit, key)
    return key
  }
  const rules: UnitRules<Unit> = {
    pairs: pairUnits,
    key: textOfUnit,
    join: (units, conflicts) => join(units, within, conflicts),
    removed: unit => ({ block: within.block, row: nameOf(unit), cause: 'removed' }),
    uniteKey: () => null,
    canUnite: () => false,
    unite: function* (ours) {
      return ours
    },
    clashKey: unit => clashKeyOf(unit, within.type),
    clash: ({ row }) => ({ block: within.block, row: `@${row?.tag ?? ''}`, cause: 'added' }),
    sticks: (unit, run) => unit.kind !== 'item' && run.at(-1)?.kind !== 'item',
    isLoose: unit => unit.kind === 'item',
    compare: (one, other) => compareTexts(orderKey(one), orderKey(other)),
  }
  const { place } = within
  if (place === null) return rules
  return sessionRules(rules, place, pairUnits, (three, below, conflicts) =>
    mergeUnits(three, { ...within, place: below, depth: within.depth + 1 }, conflicts),
  )
}
