import { nameKey } from '#protocol/atoms.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import {
  type BlockHead,
  type BlockKind,
  blockHead,
  pointsItemKey,
  readPointsLine,
  readTransferLine,
} from '../session-header.js'
import type { Pairing } from './alignment.js'
import {
  type Conflict,
  itemOf,
  splitPieces,
  type Three,
  takeChangedSide,
  type Unit,
  type UnitRules,
  unitsOf,
} from './units.js'

/**
 * How the lists of a session are merged: of each kind one list, item by item (docs/spec/merging.md#sessions). A list
 * may hold equal items, so an added item is told from its equals by its number among them.
 */

/** Where units of a session are: below its header, in a list of this kind, or below an entity of Zmiany. */
export type SessionPlace = 'Session' | BlockKind | 'Entity'

/** Merges units of a place of a session. */
export type MergeAt = (
  three: Three<ReadonlyArray<Unit>>,
  place: SessionPlace,
  conflicts: Array<Conflict>,
) => Sliced<ReadonlyArray<Unit>>

/** How pairs of a base and a side are found: by these keys, after equal texts and before anything else. */
export type PairBy = (
  base: ReadonlyArray<Unit>,
  side: ReadonlyArray<Unit>,
  keys: ReadonlyArray<(unit: Unit) => string | null>,
) => Sliced<Pairing>

/** The rules of units at a place of a session, made of those of other units. */
export const sessionRules = (
  rules: UnitRules<Unit>,
  place: SessionPlace,
  pairBy: PairBy,
  merge: MergeAt,
): UnitRules<Unit> => {
  const items = new Map<Unit, SessionItem>()
  const item = (unit: Unit): SessionItem => {
    const known = items.get(unit) ?? readItem(unit, place)
    items.set(unit, known)
    return known
  }
  const numbered = new Map<Unit, Numbered>()
  const clashes = (unit: Unit): boolean => item(unit).below === null && item(unit).name !== null
  return {
    ...rules,
    pairs: function* (base, side) {
      const pairing = yield* pairBy(base, side, [
        unit => (unit.kind === 'item' ? item(unit).key : null),
        unit => item(unit).name,
      ])
      numberAdded(side, pairing, item, numbered)
      return pairing
    },
    key: unit => numbered.get(unit)?.key ?? `${item(unit).key}\n0`,
    join: function* (units, conflicts) {
      const { base, ours, theirs } = units
      const [from, mine, other] = [item(base), item(ours), item(theirs)]
      const isChanged =
        takeChangedSide({ base: base.text, ours: ours.text, theirs: theirs.text }) === undefined
      if (!isChanged) return yield* rules.join(units, conflicts)
      if (mine.below !== null && from.below === mine.below && mine.below === other.below)
        return yield* joinLists(units, mine.below, merge, conflicts)
      const key = takeChangedSide({ base: from.key, ours: mine.key, theirs: other.key })
      if (key === undefined) return yield* rules.join(units, conflicts)
      if (mine.key === other.key) return ours.text < theirs.text ? ours : theirs
      return key === mine.key ? ours : theirs
    },
    uniteKey: unit => (item(unit).below === null ? null : (numbered.get(unit)?.name ?? null)),
    canUnite: () => true,
    unite: function* (ours, theirs, conflicts) {
      const isSmaller = (ours.pieces[0]?.raw ?? '') < (theirs.pieces[0]?.raw ?? '')
      const [head] = (yield* spread(isSmaller ? theirs : ours)).pieces
      const empty = head === undefined ? ours : itemOf(head, [])
      return yield* joinLists({ base: empty, ours, theirs }, item(ours).below ?? place, merge, conflicts)
    },
    clashKey: unit => (clashes(unit) ? item(unit).name : rules.clashKey(unit)),
    clash: (ours, theirs) => {
      if (!clashes(ours)) return rules.clash(ours, theirs)
      return item(ours).key === item(theirs).key ? null : { ...rules.removed(ours), cause: 'added' }
    },
  }
}

interface SessionItem {
  /** Units with equal keys are equal, however they are written. */
  readonly key: string
  /** What it is about, such as the character of a PU line; null for a unit that is told by its key alone. */
  readonly name: string | null
  /** The place of the items below it, which are merged one by one; null for a unit that is one value. */
  readonly below: SessionPlace | null
}

const plain = (unit: Unit): SessionItem => ({ key: unit.text, name: null, below: null })

const pointsItem = (text: string, deeper: string): SessionItem => ({
  key: `points ${pointsItemKey(text)}${deeper}`,
  name: `points ${nameKey(readPointsLine(text).character)}`,
  below: null,
})

const transferItem = (unit: Unit, text: string): SessionItem => {
  const read = readTransferLine(text)
  if (read === null) return plain(unit)
  const { amount, denomination, source, destination } = read
  const names = [denomination, source, destination].map(nameKey)
  return { key: `transfer ${amount} ${names.join(', ')}`, name: null, below: null }
}

const blockItem = (unit: Unit, head: BlockHead): SessionItem => {
  const { kind, inline } = head
  if (!head.plain || kind === 'Preserved' || (inline !== '' && unit.pieces.length > 1)) return plain(unit)
  if (inline !== '' && kind === 'Transfer') return transferItem(unit, inline)
  if (inline !== '' && (kind === 'Changes' || kind === 'Intel')) return plain(unit)
  return { key: unit.text, name: kind, below: kind }
}

const readItem = (unit: Unit, place: SessionPlace): SessionItem => {
  const [head, ...pieces] = unit.pieces
  if (head?.line._tag !== 'Item') return plain(unit)
  const { text } = head.line
  const block = place === 'Session' ? blockHead(text) : null
  if (block !== null) return blockItem(unit, block)
  if (place === 'Points') return pointsItem(text, pieces.map(({ line }) => `\n${line.raw}`).join(''))
  if (place === 'Transfer' && pieces.length === 0) return transferItem(unit, text)
  if (place === 'Changes')
    return { key: unit.text, name: `entity ${nameKey(text.replace(/:$/u, ''))}`, below: 'Entity' }
  return plain(unit)
}

const firstIndent = ({ pieces }: Unit): number | null => {
  const first = pieces.slice(1).find(({ line }) => line._tag === 'Item')?.line
  return first?._tag === 'Item' ? first.indent : null
}

const indentOfItems = 4

/** The list with its items four columns deep, also those that are written behind its name. */
const spread = function* (unit: Unit): Sliced<Unit> {
  const [head, ...pieces] = unit.pieces
  if (head?.line._tag !== 'Item') return unit
  const { text, indent } = head.line
  const newline = head.raw.endsWith('\r\n') ? '\r\n' : '\n'
  const list = indent === 0 ? blockHead(text) : null
  const inline = list?.inline ?? ''
  const names = inline.split(',').flatMap(name => (name.trim() === '' ? [] : [name.trim()]))
  const items = list?.kind === 'Points' && inline !== '' ? [inline] : names
  const first =
    inline === '' ? head.raw : `${head.raw.slice(0, head.raw.lastIndexOf(inline)).trimEnd()}${newline}`
  const by = indent + indentOfItems - (firstIndent(unit) ?? indent + indentOfItems)
  const lines = [
    ...items.map(item => `${' '.repeat(indentOfItems)}- ${item}${newline}`),
    ...pieces.map(({ raw, line }) =>
      'indent' in line ? `${' '.repeat(Math.max(0, line.indent + by))}${raw.trimStart()}` : raw,
    ),
  ]
  const closed = first.endsWith('\n') || lines.length === 0 ? first : `${first}${newline}`
  return (yield* unitsOf(yield* splitPieces(`${closed}${lines.join('')}`)))[0] ?? unit
}

/** Merges lists of one kind item by item. Of two ways to write their first line the smaller one stays. */
const joinLists = function* (
  units: Three<Unit>,
  place: SessionPlace,
  merge: MergeAt,
  conflicts: Array<Conflict>,
): Sliced<Unit> {
  const isOneForm =
    [units.base, units.ours, units.theirs].every(
      one => one.pieces[0]?.line.raw === units.ours.pieces[0]?.line.raw,
    ) && firstIndent(units.ours) === firstIndent(units.theirs)
  const { base, ours, theirs } = isOneForm
    ? units
    : {
        base: yield* spread(units.base),
        ours: yield* spread(units.ours),
        theirs: yield* spread(units.theirs),
      }
  const [mine, other] = [ours.pieces[0], theirs.pieces[0]]
  if (mine === undefined || other === undefined) return ours
  const raw = takeChangedSide({ base: base.pieces[0]?.raw, ours: mine.raw, theirs: other.raw })
  const head = raw === mine.raw || (raw === undefined && mine.raw < other.raw) ? mine : other
  const below = {
    base: yield* unitsOf(base.pieces.slice(1)),
    ours: yield* unitsOf(ours.pieces.slice(1)),
    theirs: yield* unitsOf(theirs.pieces.slice(1)),
  }
  return itemOf(head, yield* merge(below, place, conflicts))
}

/** Key and name of an added item, each with its number among those of its side that have the same. */
interface Numbered {
  readonly key: string
  readonly name: string
}

const numberAdded = (
  side: ReadonlyArray<Unit>,
  pairing: Pairing,
  item: (unit: Unit) => SessionItem,
  numbered: Map<Unit, Numbered>,
): void => {
  const paired = new Set(pairing)
  const [keys, names] = [new Map<string, number>(), new Map<string, number>()]
  const withNumber = (text: string, counts: Map<string, number>): string => {
    const number = counts.get(text) ?? 0
    counts.set(text, number + 1)
    return `${text}\n${number}`
  }
  for (const [at, unit] of side.entries()) {
    if (unit.kind !== 'item' || paired.has(at)) continue
    const { key, name } = item(unit)
    numbered.set(unit, { key: withNumber(key, keys), name: name === null ? '' : withNumber(name, names) })
  }
}
