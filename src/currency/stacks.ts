import type { Day } from '#protocol/atoms/day.js'
import type { Entities, Entity } from '#src/entities/entity.js'
import { commaList } from '#src/lore/on-day.js'
import type { Row } from '#src/lore/row.js'
import { denominationOf } from './denomination.js'

/** An owner: the entity that a name means, or the key of a name that nobody answers to. */
export type Owner = Entity | string

/** Money by denomination and by every owner that any row ever stated, in registry order (FORMATS 7). */
export interface Stacks {
  readonly byOwner: Map<string, Map<Owner, Set<Entity>>>
}

/** The denominations of which an item is money, by a text of `@generyczne_nazwy`. */
export const moneyNames = (value: string): ReadonlyArray<string> =>
  commaList(value).flatMap(name => denominationOf(name)?.name ?? [])

const put = (stacks: Stacks, denomination: string, owner: Owner, item: Entity): void => {
  const owners = stacks.byOwner.get(denomination) ?? new Map<Owner, Set<Entity>>()
  const items = owners.get(owner) ?? new Set()
  items.add(item)
  owners.set(owner, items)
  stacks.byOwner.set(denomination, owners)
}

type Values = ReadonlyArray<Row>

/** Notes an item as money of the owners given, by the rows of `@generyczne_nazwy` and `@należy_do` given. */
export const noteStack = (
  stacks: Stacks,
  item: Entity,
  generic: Values,
  owned: Values,
  ownerOf: (row: Row) => Owner,
): void => {
  for (const name of generic.flatMap(row => moneyNames(row.value)))
    for (const row of owned) if (row.value !== '') put(stacks, name, ownerOf(row), item)
}

const tagged = (item: Entity, tag: string): Values => item.rows.filter(row => row.tag === tag)

/** The stacks of money among the items, with everybody who ever owned one (FORMATS 7). */
export const stacksOf = (entities: Entities, ownerOf: (row: Row) => Owner): Stacks => {
  const stacks: Stacks = { byOwner: new Map() }
  for (const item of entities.byType.get('Przedmiot') ?? [])
    noteStack(stacks, item, tagged(item, 'generyczne_nazwy'), tagged(item, 'należy_do'), ownerOf)
  return stacks
}

/** What a stack is on a day. */
export interface StackState {
  readonly ownerOn: (item: Entity, day: Day) => Owner | null
  readonly goneOn: (item: Entity, day: Day) => boolean
}

/** The first stack of a denomination that an owner holds on a day; null when there is none. */
export const stackOf = (
  stacks: Stacks,
  denomination: string,
  owner: Owner,
  day: Day,
  state: StackState,
): Entity | null =>
  [...(stacks.byOwner.get(denomination)?.get(owner) ?? [])].find(
    item => !state.goneOn(item, day) && state.ownerOn(item, day) === owner,
  ) ?? null
