import type { Day } from '#protocol/atoms.js'
import { type Heap, makeHeap } from '#src/domain/caching/heap.js'
import type { Entity } from '#src/domain/entities/entity.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import { denominationIn } from './purses.js'

/**
 * A purse is the list of the stacks of one denomination that rows ever gave to one owner; a place is the
 * number of a stack in it. A turn is a day from which an item may have another holder.
 */

/** An owner: the entity that a name means, or the `nameKey` of a name that no block has. */
export type Owner = Entity | string

/** The rows of an item while effects are applied, including those that sessions have added so far. */
export interface ItemRows {
  readonly rowsOf: (item: Entity, tag: string) => Iterable<Row>
  /** The owner that a row of `@należy_do` names. */
  readonly ownerOf: (row: Row) => Owner
  /** The owner that a name means when no row records one. */
  readonly ownerNamed: (name: string) => Owner
  readonly ownerOn: (item: Entity, day: Day) => Owner | null
  readonly goneOn: (item: Entity, day: Day) => boolean
}

/**
 * Money by denomination and owner (FORMATS 7). Each stack is of one denomination: the first one that its rows name.
 * Empty until `prepare` has run.
 */
export interface Stacks {
  /** Reads the stacks of the index files. It must run to its end before any other function is called. */
  readonly prepare: () => Sliced<void>
  /** The caller must call this for each row that a session adds to an item, after adding it. */
  readonly noteRow: (item: Entity, row: Row) => void
  /**
   * The caller must call this when a name, given by its `nameKey`, means an entity and meant none before: a
   * session gave the entity an alias.
   */
  readonly noteName: (key: string) => void
  /**
   * The first stack of a denomination that an owner holds on a day; null when there is none.
   * `denomination` is a canonical name. Nobody holds a deleted item (`status: Usunięty`).
   * The stacks of an owner are in the order in which they were noted: by `prepare`, then by `noteRow` and
   * `noteName`. Days must not decrease between calls, because sessions are applied in order of time.
   */
  readonly find: (denomination: string, owner: Owner, day: Day) => Entity | null
  /** The canonical name of the denomination of an item; null while no row names one. */
  readonly denominationOf: (item: Entity) => string | null
}

/**
 * The stacks of money among the items, with every owner that a row ever named (ADR 1029). All calls together
 * take O((rows + calls) · log), because an item is checked only on days on which its holder may change.
 */
export const stacksOf = (items: ReadonlyArray<Entity>, rows: ItemRows): Stacks => {
  const lookup: Lookup = {
    rows,
    money: new Map(),
    purses: new Map(),
    unnamed: new Map(),
    turns: makeHeap((one, other) => (one.from < other.from ? -1 : one.from > other.from ? 1 : 0)),
  }
  return {
    prepare: () =>
      forEachInSlices(items, item => noteMoney(lookup, item, rows.rowsOf(item, 'generyczne_nazwy'))),
    noteRow: (item, row) => noteRow(lookup, item, row),
    noteName: key => noteName(lookup, key),
    find: (denomination, owner, day) => {
      const purse = lookup.purses.get(denomination)?.get(owner)
      return purse === undefined ? null : findFirst(lookup, purse, owner, day)
    },
    denominationOf: item => lookup.money.get(item)?.denomination ?? null,
  }
}

/** An item that is money. */
interface Money {
  readonly denomination: string
  /**
   * Whether the days on which its holder may change are in `turns`; they are added when the item first
   * becomes a candidate in a purse.
   */
  isFollowed: boolean
}

/** The stacks of one denomination that rows ever gave to one owner, in the order in which they were noted. */
interface Purse {
  readonly items: Array<Entity>
  readonly places: Map<Entity, number>
  /**
   * Places of stacks that the owner may hold now, each at most once; null until the first `find` for this
   * owner and denomination.
   */
  candidates: { readonly queue: Heap<number>; readonly places: Set<number> } | null
}

/** A day from which the holder of an item may be another one. */
interface Turn {
  readonly from: string
  readonly item: Entity
}

/** Tags that decide who holds an item. */
const holderTags: ReadonlySet<string> = new Set(['należy_do', 'status'])

/** Sorts before every day, so that the item is checked before the next answer. */
const immediately = ''

/** The mutable state behind `stacksOf`. */
interface Lookup {
  readonly rows: ItemRows
  readonly money: Map<Entity, Money>
  readonly purses: Map<string, Map<Owner, Purse>>
  /** Items by the `nameKey` of an owner that no block has. */
  readonly unnamed: Map<string, Set<Entity>>
  readonly turns: Heap<Turn>
}

const purseOf = ({ purses }: Lookup, denomination: string, owner: Owner): Purse => {
  const owners = purses.get(denomination) ?? new Map<Owner, Purse>()
  purses.set(denomination, owners)
  const purse = owners.get(owner) ?? { items: [], places: new Map<Entity, number>(), candidates: null }
  owners.set(owner, purse)
  return purse
}

/**
 * Adds the days on which the holder may change: where the row begins, and the day after it ends. `~` sorts
 * after the digits, so `<to>~` comes after the last day of the row and before the next day.
 */
const noteTurns = ({ turns }: Lookup, item: Entity, { range }: Row): void => {
  turns.push({ from: range.from ?? immediately, item })
  if (range.to !== null) turns.push({ from: `${range.to}~`, item })
}

/** Makes a stack a candidate, to be checked by the next `find`. Does nothing before the first `find`. */
const addCandidate = (lookup: Lookup, { items, candidates }: Purse, place: number): void => {
  if (candidates === null || candidates.places.has(place)) return
  candidates.places.add(place)
  candidates.queue.push(place)
  const item = items[place]
  const money = item === undefined ? undefined : lookup.money.get(item)
  if (item === undefined || money === undefined || money.isFollowed) return
  money.isFollowed = true
  for (const tag of holderTags) for (const row of lookup.rows.rowsOf(item, tag)) noteTurns(lookup, item, row)
}

/**
 * Returns the place of an item in a purse, and adds the item if it is missing. `findFirst` checks whether the
 * owner holds it.
 */
const addToPurse = (lookup: Lookup, purse: Purse, item: Entity): number => {
  const known = purse.places.get(item)
  if (known !== undefined) return known
  const place = purse.items.push(item) - 1
  purse.places.set(item, place)
  addCandidate(lookup, purse, place)
  return place
}

const noteOwner = (lookup: Lookup, item: Entity, { denomination }: Money, owner: Owner): void => {
  addToPurse(lookup, purseOf(lookup, denomination, owner), item)
  if (typeof owner === 'string')
    lookup.unnamed.set(owner, (lookup.unnamed.get(owner) ?? new Set<Entity>()).add(item))
}

const noteOwnerRow = (lookup: Lookup, item: Entity, money: Money, row: Row): void => {
  if (row.value !== '') noteOwner(lookup, item, money, lookup.rows.ownerOf(row))
}

/** Makes an item money by the first denomination in the rows, unless it is money already. */
const noteMoney = (lookup: Lookup, item: Entity, rows: Iterable<Row>): void => {
  const denomination = lookup.money.has(item) ? null : denominationIn({ rows: [...rows] })
  if (denomination === null) return
  const money = { denomination: denomination.name, isFollowed: false }
  lookup.money.set(item, money)
  for (const row of lookup.rows.rowsOf(item, 'należy_do')) noteOwnerRow(lookup, item, money, row)
}

const noteRow = (lookup: Lookup, item: Entity, row: Row): void => {
  if (item.type !== 'Przedmiot') return
  if (row.tag === 'generyczne_nazwy') noteMoney(lookup, item, [row])
  const money = lookup.money.get(item)
  if (money === undefined || !holderTags.has(row.tag)) return
  if (row.tag === 'należy_do') noteOwnerRow(lookup, item, money, row)
  if (!money.isFollowed) return
  noteTurns(lookup, item, row)
  lookup.turns.push({ from: immediately, item })
}

/** Adds the entity that a key now means as an owner of the items that name the key. */
const noteName = (lookup: Lookup, key: string): void => {
  for (const item of lookup.unnamed.get(key) ?? []) {
    const money = lookup.money.get(item)
    if (money !== undefined) noteOwner(lookup, item, money, lookup.rows.ownerNamed(key))
  }
  lookup.unnamed.delete(key)
}

const holderOn = ({ rows }: Lookup, item: Entity, day: Day): Owner | null =>
  rows.goneOn(item, day) ? null : rows.ownerOn(item, day)

/** Makes each item whose holder may have changed up to a day a candidate of its holder on that day. */
const takeTurns = (lookup: Lookup, day: Day): void => {
  const { turns } = lookup
  for (let turn = turns.peek(); turn !== undefined && turn.from <= day; turn = turns.peek()) {
    turns.pop()
    const { item } = turn
    const holder = holderOn(lookup, item, day)
    const money = lookup.money.get(item)
    if (holder === null || money === undefined) continue
    const purse = purseOf(lookup, money.denomination, holder)
    addCandidate(lookup, purse, addToPurse(lookup, purse, item))
  }
}

/** Returns the candidates of a purse; the first call makes every stack of the purse one. */
const openPurse = (lookup: Lookup, purse: Purse): NonNullable<Purse['candidates']> => {
  const candidates = purse.candidates ?? {
    queue: makeHeap<number>((one, other) => one - other),
    places: new Set<number>(),
  }
  if (purse.candidates === null) {
    purse.candidates = candidates
    for (const place of purse.items.keys()) addCandidate(lookup, purse, place)
  }
  return candidates
}

/**
 * The first item that the owner holds on a day. Candidates before it that the owner does not hold are
 * removed; `takeTurns` adds them again on a turn on which the owner holds them.
 */
const findFirst = (lookup: Lookup, purse: Purse, owner: Owner, day: Day): Entity | null => {
  const { queue, places } = openPurse(lookup, purse)
  takeTurns(lookup, day)
  for (let place = queue.peek(); place !== undefined; place = queue.peek()) {
    const item = purse.items[place]
    if (item !== undefined && holderOn(lookup, item, day) === owner) return item
    queue.pop()
    places.delete(place)
  }
  return null
}
