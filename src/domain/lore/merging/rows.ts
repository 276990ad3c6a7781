import type { EntityType } from '#protocol/atoms/vocabulary.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { isKnownTag, tagRule, tagRules } from '../tag-schema.js'
import { type Conflict, type Side, settled, type Three } from './conflict.js'
import { aligned, type Pairing, pairedBy, stretches } from './sequences/alignment.js'
import { mergeSequence } from './sequences/sequence.js'
import { itemOf, type Piece, type Unit, unitsOf } from './unit.js'
import type { UnitRules } from './unit-rules.js'

/** Of which block rows are merged, and which side stands where they conflict. */
export interface Within {
  readonly block: string | null
  /** Null where the block does not say: a tag then has one value only if it has in every type. */
  readonly type: EntityType | null
  readonly stands: Side
  /** In how many lists the rows lie. */
  readonly depth: number
}

/** How deep lists in lists are merged item by item; a deeper item is one value. */
const depthMax = 32

const singles = new Map<string, boolean>()

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

/** What two different added rows have in common of which one alone may stand: a tag of one value and the first day. */
export const clashKeyOf = ({ row }: Unit, type: EntityType | null): string | null =>
  row !== null && isSingle(row.tag, type) ? `${row.tag} ${row.from ?? ''}` : null

/** What a unit is called in a report: its tag, the label of an item, or how a line begins. */
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

/** Pairs what is left within one stretch by its sort, in turn. */
const pairedInTurn = function* (
  pairing: Pairing,
  base: ReadonlyArray<Unit>,
  side: ReadonlyArray<Unit>,
): Sliced<Pairing> {
  if (!pairing.includes(-1)) return pairing
  const places = stretches(pairing, side.length)
  return yield* pairedBy(pairing, base, side, (unit, at, list) => `${places[list][at] ?? -1} ${sortOf(unit)}`)
}

const matches: ReadonlyArray<(unit: Unit) => string | null> = [
  unit => (unit.kind === 'item' ? unit.text : null),
  ({ row }) => (row === null || row.value === '' ? null : `${row.tag} ${row.value}`),
  ({ row }) => (row === null || row.from === null ? null : `${row.tag} ${row.from}`),
  label,
]

/**
 * Which unit of a side is which of the base: equal ones first, then a row by its tag and value (its range was closed),
 * by its tag and first day (its value was changed), an item by its label, and what is left within one stretch in turn.
 */
const pairedUnits = function* (base: ReadonlyArray<Unit>, side: ReadonlyArray<Unit>): Sliced<Pairing> {
  let pairing = yield* aligned(base.map(textOfUnit), side.map(textOfUnit))
  for (const match of matches) pairing = yield* pairedBy(pairing, base, side, match)
  return yield* pairedInTurn(pairing, base, side)
}

const textOfUnit = (unit: Unit): string => unit.text

/** Equal texts may still end their lines differently: the side that changed that has its way. */
const sameText = ({ base, ours, theirs }: Three<Unit>): Unit => {
  const raw = (unit: Unit): string => unit.pieces.map(piece => piece.raw).join('')
  const kept = settled({ base: raw(base), ours: raw(ours), theirs: raw(theirs) })
  if (kept !== undefined) return kept === raw(ours) ? ours : theirs
  return raw(ours) < raw(theirs) ? ours : theirs
}

/** Two closings of one open row: the earlier day ends it, for what follows it begins then (D30 "by range"). */
const closedEarlier = ({ base, ours, theirs }: Three<Unit>): Unit | null => {
  const [from, one, two] = [base.row, ours.row, theirs.row]
  if (from === null || one === null || two === null || from.to !== null) return null
  if (one.to === null || two.to === null || ours.pieces.length + theirs.pieces.length > 2) return null
  const alike = [one, two].every(row => row.value === from.value && row.from === from.from)
  return !alike ? null : one.to < two.to || (one.to === two.to && ours.text < theirs.text) ? ours : theirs
}

/** Whether the three introduce a list alike: then their items are merged one by one. */
const listHead = ({ base, ours, theirs }: Three<Unit>): boolean => {
  const heads = [base, ours, theirs].map(unit => unit.pieces[0]?.line)
  const first = heads[0]
  return (
    first?._tag === 'Item' &&
    (first.text.endsWith(':') || !first.text.includes(':')) &&
    heads.every(line => line?.raw === first.raw)
  )
}

/** Merges the items below a head that the three have alike, one by one. */
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
  const below = { ...within, type: null, depth: within.depth + 1 }
  return itemOf(head, yield* mergeUnits(three, below, conflicts))
}

const join = function* (units: Three<Unit>, within: Within, conflicts: Array<Conflict>): Sliced<Unit> {
  const { base, ours, theirs } = units
  const text = settled({ base: base.text, ours: ours.text, theirs: theirs.text })
  if (ours.text === theirs.text && ours.text === base.text) return sameText(units)
  if (text !== undefined) return text === ours.text ? ours : theirs
  const closed = closedEarlier(units)
  if (closed !== null) return closed
  const head = ours.pieces[0]
  if (head !== undefined && within.depth < depthMax && listHead(units))
    return yield* joinLists(units, head, within, conflicts)
  conflicts.push({ block: within.block, row: nameOf(base), cause: 'changed' })
  return within.stands === 'ours' ? ours : theirs
}

const inOrder = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Rows of one tag by their first day, all else by text. */
const orderKeyOf = ({ row, text }: Unit): string =>
  row === null ? text : [`- @${row.tag}`, row.from ?? '', text].join('\u0000')

const rulesWithin = (within: Within): UnitRules<Unit> => {
  const orderKeys = new Map<Unit, string>()
  const orderKey = (unit: Unit): string => {
    const key = orderKeys.get(unit) ?? orderKeyOf(unit)
    orderKeys.set(unit, key)
    return key
  }
  return {
    pairs: pairedUnits,
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
    compare: (one, other) => inOrder(orderKey(one), orderKey(other)),
  }
}

/** Merges the lines below a heading or an item, by row (D30). */
export const mergeUnits = (
  three: Three<ReadonlyArray<Unit>>,
  within: Within,
  conflicts: Array<Conflict>,
): Sliced<ReadonlyArray<Unit>> => mergeSequence(three, rulesWithin(within), within.stands, conflicts)
