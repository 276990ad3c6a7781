import type { EntityType } from '#protocol/atoms.js'
import {
  type Conflict,
  itemOf,
  type Side,
  type Three,
  takeChangedSide,
  type Unit,
  unitsOf,
} from '#src/domain/lore/merging/units.js'
import { tagRule, tagRules } from '#src/domain/lore/tag-schema.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import {
  alignQuadratically,
  pairByQuadratically,
  type QuadraticPairing,
  quadraticStretchesOf,
} from './alignment.js'
import { mergeSequenceQuadratically, type QuadraticUnitRules } from './sequence.js'

/** The block whose rows are merged, and the side that wins where they conflict. */
export interface QuadraticWithin {
  readonly block: string | null
  /** Null where the block does not have a type: a tag then has one value only if it has in every type. */
  readonly type: EntityType | null
  readonly stands: Side
}

const isSingle = (tag: string, type: EntityType | null): boolean => {
  const rule = type === null ? null : tagRule(tag, type)
  if (rule !== null) return !rule.multi
  const rules = tagRules.filter(one => one.tag === tag)
  return rules.length > 0 && rules.every(one => !one.multi)
}

/** The name of a unit in a report: its tag, the label of an item, or the beginning of the line. */
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

/**
 * Pairs the units of a side with those of the base: first equal ones, then a row by its tag and value (its
 * range was closed), by its tag and first day (its value was changed), an item by its label, and the rest
 * within one stretch in order.
 */
export const pairUnits = (base: ReadonlyArray<Unit>, side: ReadonlyArray<Unit>): QuadraticPairing => {
  const by = (match: (unit: Unit) => string | null) => (pairing: QuadraticPairing) =>
    pairByQuadratically(pairing, base, side, match)
  const inTurn = (pairing: QuadraticPairing): QuadraticPairing => {
    const places = quadraticStretchesOf(pairing, side.length)
    const stretch = new Map<Unit, number>()
    base.forEach((unit, at) => stretch.set(unit, places.base[at] ?? -1))
    side.forEach((unit, at) => stretch.set(unit, places.side[at] ?? -1))
    const sort = (unit: Unit): string => (unit.row === null ? unit.kind : `@${unit.row.tag}`)
    return pairByQuadratically(pairing, base, side, unit => `${stretch.get(unit) ?? -1} ${sort(unit)}`)
  }
  return [
    by(unit => (unit.kind === 'item' ? unit.text : null)),
    by(({ row }) => (row === null || row.value === '' ? null : `${row.tag} ${row.value}`)),
    by(({ row }) => (row === null || row.from === null ? null : `${row.tag} ${row.from}`)),
    by(label),
    inTurn,
  ].reduce<QuadraticPairing>(
    (pairing, step) => step(pairing),
    alignQuadratically(base.map(textOfUnit), side.map(textOfUnit)),
  )
}

const textOfUnit = (unit: Unit): string => unit.text

/** Equal texts may still differ in their line ends: the version of the side that changed them is used. */
const sameText = ({ base, ours, theirs }: Three<Unit>): Unit => {
  const raw = (unit: Unit): string => unit.pieces.map(piece => piece.raw).join('')
  const kept = takeChangedSide({ base: raw(base), ours: raw(ours), theirs: raw(theirs) })
  if (kept !== undefined) return kept === raw(ours) ? ours : theirs
  return raw(ours) < raw(theirs) ? ours : theirs
}

/**
 * Two closings of one open row: the earlier day ends it, because what follows it begins then (D30 "by
 * range").
 */
const pickEarlierClose = ({ base, ours, theirs }: Three<Unit>): Unit | null => {
  const [from, one, two] = [base.row, ours.row, theirs.row]
  if (from === null || one === null || two === null || from.to !== null) return null
  if (one.to === null || two.to === null || ours.pieces.length + theirs.pieces.length > 2) return null
  const alike = [one, two].every(row => row.value === from.value && row.from === from.from)
  return !alike ? null : one.to < two.to || (one.to === two.to && ours.text < theirs.text) ? ours : theirs
}

/** Whether the three introduce a list in the same way: then their items are merged one by one. */
const listHead = ({ base, ours, theirs }: Three<Unit>): boolean => {
  const heads = [base, ours, theirs].map(unit => unit.pieces[0]?.line)
  const first = heads[0]
  return (
    first?._tag === 'Item' &&
    (first.text.endsWith(':') || !first.text.includes(':')) &&
    heads.every(line => line?.raw === first.raw)
  )
}

const join = (units: Three<Unit>, within: QuadraticWithin, conflicts: Array<Conflict>): Unit => {
  const { base, ours, theirs } = units
  const text = takeChangedSide({ base: base.text, ours: ours.text, theirs: theirs.text })
  if (ours.text === theirs.text && ours.text === base.text) return sameText(units)
  if (text !== undefined) return text === ours.text ? ours : theirs
  const closed = pickEarlierClose(units)
  if (closed !== null) return closed
  const head = ours.pieces[0]
  if (head !== undefined && listHead(units)) {
    const below = (unit: Unit): ReadonlyArray<Unit> => atOnce(unitsOf(unit.pieces.slice(1)))
    const three = { base: below(base), ours: below(ours), theirs: below(theirs) }
    return itemOf(head, mergeUnitsQuadratically(three, { ...within, type: null }, conflicts))
  }
  conflicts.push({ block: within.block, row: nameOf(base), cause: 'changed' })
  return within.stands === 'ours' ? ours : theirs
}

const inOrder = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Rows of one tag by their first day, everything else by text. */
const compare = (one: Unit, other: Unit): number => {
  const key = ({ row, text }: Unit): string =>
    row === null ? text : [`- @${row.tag}`, row.from ?? '', text].join('\u0000')
  return inOrder(key(one), key(other))
}

const rulesWithin = (within: QuadraticWithin): QuadraticUnitRules<Unit> => ({
  pairs: pairUnits,
  isSame: (one, other) => one.text === other.text,
  join: (units, conflicts) => join(units, within, conflicts),
  removed: unit => ({ block: within.block, row: nameOf(unit), cause: 'removed' }),
  unite: () => null,
  clash: ({ row: one }, { row: two }) =>
    one !== null &&
    two !== null &&
    one.tag === two.tag &&
    one.from === two.from &&
    isSingle(one.tag, within.type)
      ? { block: within.block, row: `@${one.tag}`, cause: 'added' }
      : null,
  sticks: (unit, run) => unit.kind !== 'item' && run.at(-1)?.kind !== 'item',
  isLoose: unit => unit.kind === 'item',
  compare,
})

/** Merges the lines below a heading or an item, by row (D30). */
export const mergeUnitsQuadratically = (
  three: Three<ReadonlyArray<Unit>>,
  within: QuadraticWithin,
  conflicts: Array<Conflict>,
): ReadonlyArray<Unit> => mergeSequenceQuadratically(three, rulesWithin(within), within.stands, conflicts)
