import type { Day } from '#protocol/atoms/day.js'
import type { Entities, Entity } from '#src/entities/entity.js'
import { type Heap, heap } from '#src/lore/heap.js'
import { commaList } from '#src/lore/on-day.js'
import type { Row } from '#src/lore/row.js'
import { restingOver, type Sliced } from '#src/lore/sliced.js'
import { denominationOf } from './denomination.js'

/** An owner: the entity that a name means, or the key of a name that no block answers to. */
export type Owner = Entity | string

/** The denominations of which an item is money, by a text of `@generyczne_nazwy`. */
export const moneyNames = (value: string): ReadonlyArray<string> =>
  commaList(value).flatMap(name => denominationOf(name)?.name ?? [])

/** What the rows of an item say while effects are applied, those that sessions have added so far included. */
export interface ItemRows {
  readonly rowsOf: (item: Entity, tag: string) => Iterable<Row>
  readonly ownerOf: (name: string) => Owner
  readonly ownerOn: (item: Entity, day: Day) => Owner | null
  readonly goneOn: (item: Entity, day: Day) => boolean
}

/** Money by denomination and owner (FORMATS 7). Empty until it is prepared. */
export interface Stacks {
  /** Reads the stacks of the registry as they are on the first day that is asked for. Rests within. */
  readonly prepare: (day: Day) => Sliced<void>
  /** Told of each row that a session adds to an item, after it was added. */
  readonly noteRow: (item: Entity, row: Row) => void
  /** Told of a key that means an entity from now on and meant none before. */
  readonly noteName: (key: string) => void
  /**
   * The first stack of a denomination that an owner holds on a day; null when there is none. The order is that in
   * which rows first gave the stacks to the owner, the registry before the sessions. Days never fall from one call
   * to the next: sessions are applied in the order of time.
   */
  readonly find: (denomination: string, owner: Owner, day: Day) => Entity | null
}

/** An item that is money, and every owner that a row ever stated. */
interface Money {
  readonly denominations: Set<string>
  readonly owners: Set<Owner>
}

/** The stacks of one denomination that one owner holds or may hold. */
interface Purse {
  readonly items: Array<Entity>
  readonly places: Map<Entity, number>
  /** Places of the stacks that the owner held when they were last looked at; each at most once. */
  readonly held: Heap<number>
  readonly isHeld: Set<number>
}

/** A day from which the holder of an item may be another one. */
interface Turn {
  readonly from: string
  readonly item: Entity
}

/** Tags that decide who holds an item. */
const holderTags: ReadonlySet<string> = new Set(['należy_do', 'status'])

/** Before every day: to be looked at before the next answer. */
const immediately = ''

const newPurse = (): Purse => ({
  items: [],
  places: new Map(),
  held: heap((one, other) => one - other),
  isHeld: new Set(),
})

const placeIn = (purse: Purse, item: Entity): number => {
  const known = purse.places.get(item)
  if (known !== undefined) return known
  const place = purse.items.push(item) - 1
  purse.places.set(item, place)
  return place
}

/** The index behind `stacksOf`; filled by its functions alone. */
interface Index {
  readonly rows: ItemRows
  readonly money: Map<Entity, Money>
  readonly purses: Map<string, Map<Owner, Purse>>
  /** Items by the key of an owner that no block answered to. */
  readonly unnamed: Map<string, Set<Entity>>
  readonly turns: Heap<Turn>
}

const purseOf = ({ purses }: Index, denomination: string, owner: Owner): Purse => {
  const owners = purses.get(denomination) ?? new Map<Owner, Purse>()
  purses.set(denomination, owners)
  const purse = owners.get(owner) ?? newPurse()
  owners.set(owner, purse)
  return purse
}

const noteOwner = (index: Index, item: Entity, { denominations, owners }: Money, name: string): void => {
  if (name === '') return
  const owner = index.rows.ownerOf(name)
  owners.add(owner)
  for (const denomination of denominations) placeIn(purseOf(index, denomination, owner), item)
  if (typeof owner === 'string')
    index.unnamed.set(owner, (index.unnamed.get(owner) ?? new Set<Entity>()).add(item))
}

/** The holder may change where the row begins, and on the day after its TO. */
const noteTurns = ({ turns }: Index, item: Entity, { range }: Row): void => {
  turns.push({ from: range.from ?? immediately, item })
  if (range.to !== null) turns.push({ from: `${range.to}~`, item })
}

const noteDenomination = (index: Index, item: Entity, denomination: string): void => {
  const known = index.money.get(item)
  if (known?.denominations.has(denomination) === true) return
  const money = known ?? { denominations: new Set<string>(), owners: new Set<Owner>() }
  money.denominations.add(denomination)
  if (known === undefined) {
    index.money.set(item, money)
    for (const row of index.rows.rowsOf(item, 'należy_do')) noteOwner(index, item, money, row.value)
    for (const tag of holderTags) for (const row of index.rows.rowsOf(item, tag)) noteTurns(index, item, row)
  } else for (const owner of money.owners) placeIn(purseOf(index, denomination, owner), item)
  index.turns.push({ from: immediately, item })
}

const noteRow = (index: Index, item: Entity, row: Row): void => {
  if (row.tag === 'generyczne_nazwy')
    for (const name of moneyNames(row.value)) noteDenomination(index, item, name)
  const money = index.money.get(item)
  if (money === undefined || !holderTags.has(row.tag)) return
  if (row.tag === 'należy_do') noteOwner(index, item, money, row.value)
  noteTurns(index, item, row)
  index.turns.push({ from: immediately, item })
}

const holderOn = ({ rows }: Index, item: Entity, day: Day): Owner | null =>
  rows.goneOn(item, day) ? null : rows.ownerOn(item, day)

/** Puts an item among those that its holder of the day holds. */
const look = (index: Index, item: Entity, day: Day): void => {
  const holder = holderOn(index, item, day)
  if (holder === null) return
  for (const denomination of index.money.get(item)?.denominations ?? []) {
    const purse = purseOf(index, denomination, holder)
    const place = placeIn(purse, item)
    if (purse.isHeld.has(place)) continue
    purse.isHeld.add(place)
    purse.held.push(place)
  }
}

const itemsUntil = function* ({ turns }: Index, day: Day): Generator<Entity, void> {
  for (let turn = turns.peek(); turn !== undefined && turn.from <= day; turn = turns.peek()) {
    turns.pop()
    yield turn.item
  }
}

/** The first that is held still; those before it that are not are looked at again when their turn comes. */
const firstHeld = (index: Index, purse: Purse, owner: Owner, day: Day): Entity | null => {
  for (let place = purse.held.peek(); place !== undefined; place = purse.held.peek()) {
    const item = purse.items[place]
    if (item !== undefined && holderOn(index, item, day) === owner) return item
    purse.held.pop()
    purse.isHeld.delete(place)
  }
  return null
}

const newIndex = (rows: ItemRows): Index => ({
  rows,
  money: new Map(),
  purses: new Map(),
  unnamed: new Map(),
  turns: heap((one, other) => (one.from < other.from ? -1 : one.from > other.from ? 1 : 0)),
})

const noteItem = (index: Index, item: Entity): void => {
  for (const row of item.rows)
    if (row.tag === 'generyczne_nazwy')
      for (const name of moneyNames(row.value)) noteDenomination(index, item, name)
}

/**
 * The stacks of money among the items, with every owner that a row ever stated. The work is that of the rows and of
 * the questions, each times a logarithm: an item is looked at on the days on which its holder may change.
 */
export const stacksOf = (entities: Entities, rows: ItemRows): Stacks => {
  const index = newIndex(rows)
  return {
    prepare: function* (day) {
      yield* restingOver(entities.byType.get('Przedmiot') ?? [], item => noteItem(index, item))
      yield* restingOver(itemsUntil(index, day), item => look(index, item, day))
    },
    noteRow: (item, row) => noteRow(index, item, row),
    noteName: key => {
      for (const item of index.unnamed.get(key) ?? []) index.turns.push({ from: immediately, item })
      index.unnamed.delete(key)
    },
    find: (denomination, owner, day) => {
      for (const item of itemsUntil(index, day)) look(index, item, day)
      const purse = index.purses.get(denomination)?.get(owner)
      return purse === undefined ? null : firstHeld(index, purse, owner, day)
    },
  }
}
