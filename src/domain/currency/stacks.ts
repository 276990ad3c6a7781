import type { Day } from '#protocol/atoms/day.js'
import { type Heap, makeHeap } from '#src/domain/caching/heap.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { commaList } from '#src/domain/lore/rows/on-day.js'
import type { Row } from '#src/domain/lore/rows/row.js'
import { forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import { denominationOf } from './denomination.js'

/** An owner: the entity that a name means, or the key of a name that no block has. */
export type Owner = Entity | string

/** The denominations of an item that is money, from a value of `@generyczne_nazwy`. */
export const moneyNames = (value: string): ReadonlyArray<string> =>
  commaList(value).flatMap(name => denominationOf(name)?.name ?? [])

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

/** Money by denomination and owner (FORMATS 7). Empty until `prepare` has run. */
export interface Stacks {
  /** Reads the stacks of the index. Yields between items. */
  readonly prepare: () => Sliced<void>
  /** The caller must call this for each row that a session adds to an item, after adding it. */
  readonly noteRow: (item: Entity, row: Row) => void
  /** The caller must call this for each key that now means an entity and meant none before. */
  readonly noteName: (key: string) => void
  /**
   * The first stack of a denomination that an owner holds on a day; null when there is none. Stacks are
   * ordered by the first row that gave them to the owner, the index before the sessions. Days must not
   * decrease between calls, because sessions are applied in order of time.
   */
  readonly find: (denomination: string, owner: Owner, day: Day) => Entity | null
}

/** An item that is money, with every owner that a row ever named. */
interface Money {
  readonly denominations: Set<string>
  readonly owners: Set<Owner>
  /**
   * Whether the days on which its holder may change are in `turns`; they are added when a purse with the item
   * is opened.
   */
  isFollowed: boolean
}

/** The stacks of one denomination that one owner holds or may hold, in the order in which rows gave them. */
interface Purse {
  readonly items: Array<Entity>
  readonly places: Map<Entity, number>
  /** Places of stacks that the owner may hold now, each at most once; null until a transfer asks for one. */
  held: { readonly queue: Heap<number>; readonly places: Set<number> } | null
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

/** The mutable index behind `stacksOf`. */
interface Index {
  readonly rows: ItemRows
  readonly money: Map<Entity, Money>
  readonly purses: Map<string, Map<Owner, Purse>>
  /** Items by the key of an owner that no block has. */
  readonly unnamed: Map<string, Set<Entity>>
  readonly turns: Heap<Turn>
}

const purseOf = ({ purses }: Index, denomination: string, owner: Owner): Purse => {
  const owners = purses.get(denomination) ?? new Map<Owner, Purse>()
  purses.set(denomination, owners)
  const purse = owners.get(owner) ?? { items: [], places: new Map<Entity, number>(), held: null }
  owners.set(owner, purse)
  return purse
}

/** Adds the days on which the holder may change: where the row begins, and the day after its TO. */
const noteTurns = ({ turns }: Index, item: Entity, { range }: Row): void => {
  turns.push({ from: range.from ?? immediately, item })
  if (range.to !== null) turns.push({ from: `${range.to}~`, item })
}

const hold = (index: Index, { items, held }: Purse, place: number): void => {
  if (held === null || held.places.has(place)) return
  held.places.add(place)
  held.queue.push(place)
  const item = items[place]
  const money = item === undefined ? undefined : index.money.get(item)
  if (item === undefined || money === undefined || money.isFollowed) return
  money.isFollowed = true
  for (const tag of holderTags) for (const row of index.rows.rowsOf(item, tag)) noteTurns(index, item, row)
}

/**
 * The place of an item in a purse, added if missing. Whether the owner holds it is checked only when it comes
 * first.
 */
const put = (index: Index, purse: Purse, item: Entity): number => {
  const known = purse.places.get(item)
  if (known !== undefined) return known
  const place = purse.items.push(item) - 1
  purse.places.set(item, place)
  hold(index, purse, place)
  return place
}

const noteOwner = (index: Index, item: Entity, { denominations, owners }: Money, owner: Owner): void => {
  owners.add(owner)
  for (const denomination of denominations) put(index, purseOf(index, denomination, owner), item)
  if (typeof owner === 'string')
    index.unnamed.set(owner, (index.unnamed.get(owner) ?? new Set<Entity>()).add(item))
}

const noteOwnerRow = (index: Index, item: Entity, money: Money, row: Row): void => {
  if (row.value !== '') noteOwner(index, item, money, index.rows.ownerOf(row))
}

const noteDenomination = (index: Index, item: Entity, denomination: string): void => {
  const known = index.money.get(item)
  if (known?.denominations.has(denomination) === true) return
  const money = known ?? { denominations: new Set<string>(), owners: new Set<Owner>(), isFollowed: false }
  money.denominations.add(denomination)
  index.money.set(item, money)
  if (known === undefined)
    for (const row of index.rows.rowsOf(item, 'należy_do')) noteOwnerRow(index, item, money, row)
  else for (const owner of money.owners) put(index, purseOf(index, denomination, owner), item)
  if (money.isFollowed) index.turns.push({ from: immediately, item })
}

const noteRow = (index: Index, item: Entity, row: Row): void => {
  if (row.tag === 'generyczne_nazwy')
    for (const name of moneyNames(row.value)) noteDenomination(index, item, name)
  const money = index.money.get(item)
  if (money === undefined || !holderTags.has(row.tag)) return
  if (row.tag === 'należy_do') noteOwnerRow(index, item, money, row)
  if (!money.isFollowed) return
  noteTurns(index, item, row)
  index.turns.push({ from: immediately, item })
}

/** Adds the entity that a key now means as an owner of the items that name the key. */
const noteName = (index: Index, key: string): void => {
  for (const item of index.unnamed.get(key) ?? []) {
    const money = index.money.get(item)
    if (money !== undefined) noteOwner(index, item, money, index.rows.ownerNamed(key))
  }
  index.unnamed.delete(key)
}

const holderOn = ({ rows }: Index, item: Entity, day: Day): Owner | null =>
  rows.goneOn(item, day) ? null : rows.ownerOn(item, day)

/** Checks every item whose holder may have changed until a day. */
const lookUntil = (index: Index, day: Day): void => {
  const { turns } = index
  for (let turn = turns.peek(); turn !== undefined && turn.from <= day; turn = turns.peek()) {
    turns.pop()
    const { item } = turn
    const holder = holderOn(index, item, day)
    if (holder === null) continue
    for (const denomination of index.money.get(item)?.denominations ?? []) {
      const purse = purseOf(index, denomination, holder)
      hold(index, purse, put(index, purse, item))
    }
  }
}

const openPurse = (index: Index, purse: Purse): NonNullable<Purse['held']> => {
  const held = purse.held ?? {
    queue: makeHeap<number>((one, other) => one - other),
    places: new Set<number>(),
  }
  if (purse.held === null) {
    purse.held = held
    for (const place of purse.items.keys()) hold(index, purse, place)
  }
  return held
}

/**
 * The first item that the owner holds. Items before it that the owner does not hold are removed and return
 * when their turn comes.
 */
const firstHeld = (index: Index, purse: Purse, owner: Owner, day: Day): Entity | null => {
  const { queue, places } = openPurse(index, purse)
  lookUntil(index, day)
  for (let place = queue.peek(); place !== undefined; place = queue.peek()) {
    const item = purse.items[place]
    if (item !== undefined && holderOn(index, item, day) === owner) return item
    queue.pop()
    places.delete(place)
  }
  return null
}

const noteItem = (index: Index, item: Entity): void => {
  for (const row of item.rows)
    if (row.tag === 'generyczne_nazwy')
      for (const name of moneyNames(row.value)) noteDenomination(index, item, name)
}

/**
 * The stacks of money among the items, with every owner that a row ever named (ADR 1029). The work is that of
 * the rows and the calls, each times a logarithm, because an item is checked only on days on which its holder
 * may change.
 */
export const stacksOf = (entities: Entities, rows: ItemRows): Stacks => {
  const index: Index = {
    rows,
    money: new Map(),
    purses: new Map(),
    unnamed: new Map(),
    turns: makeHeap((one, other) => (one.from < other.from ? -1 : one.from > other.from ? 1 : 0)),
  }
  return {
    prepare: () => forEachInSlices(entities.byType.get('Przedmiot') ?? [], item => noteItem(index, item)),
    noteRow: (item, row) => noteRow(index, item, row),
    noteName: key => noteName(index, key),
    find: (denomination, owner, day) => {
      const purse = index.purses.get(denomination)?.get(owner)
      return purse === undefined ? null : firstHeld(index, purse, owner, day)
    },
  }
}
