import { type Day, type NameKey, nameKey } from '#protocol/atoms.js'
import { perDay, perValue } from '#src/domain/caching/per-value.js'
import { ownerBlockOn, ownerOfRow } from '#src/domain/entities/entities.js'
import { type Entities, type Entity, quantityOn, statusOn } from '#src/domain/entities/entity.js'
import { aliasKeys, genericNames } from '#src/domain/entities/reading.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { type Denomination, denominationOf, denominations } from './denomination.js'

/** An item that is money. */
export interface Purse {
  readonly item: Entity
  /** The first one that its `@generyczne_nazwy` names. */
  readonly denomination: Denomination
}

/** Pieces of one denomination, and what they are worth in the smallest one. */
export interface Amount {
  readonly denomination: string
  readonly amount: number
  readonly kogi: number
}

/** The purses among the items, in the order of the registry. */
export const pursesOf = perValue(
  (entities: Entities): ReadonlyArray<Purse> =>
    (entities.byType.get('Przedmiot') ?? []).flatMap(item => purseOf(item) ?? []),
)

/** What a purse holds on a day; 0 where no row states a whole number. */
export const heldOn = ({ item }: Purse, day: Day): number => quantityOn(item, day) ?? 0

/** Whether a purse counts on a day: it is not `Usunięty`. */
export const countsOn = ({ item }: Purse, day: Day): boolean => statusOn(item, day) !== 'Usunięty'

/** The purses that count on a day and belong to an entity, or to a name that no block has (its `nameKey`). */
export const pursesHeldBy = (entities: Entities, owner: Entity | NameKey, day: Day): ReadonlyArray<Purse> =>
  pursesEverOf(entities, owner).filter(purse => {
    const holder = ownerBlockOn(entities, purse.item, day)
    return holder !== null && (holder.block ?? nameKey(holder.text)) === owner && countsOn(purse, day)
  })

/** The sum of the purses of each denomination on a day, the most valuable first; those without a purse are left out. */
export const amountsOf = (purses: ReadonlyArray<Purse>, day: Day): ReadonlyArray<Amount> =>
  denominations.flatMap(denomination => {
    const those = purses.filter(purse => purse.denomination === denomination)
    const amount = those.reduce((sum, purse) => sum + heldOn(purse, day), 0)
    return those.length === 0
      ? []
      : [{ denomination: denomination.name, amount, kogi: inKogi(amount, denomination) }]
  })

/** The money of all purses that count on a day, those of inactive owners too (FORMATS 7). */
export const supplyOn = perDay(
  (entities: Entities, day: Day): ReadonlyArray<Amount> =>
    amountsOf(
      pursesOf(entities).filter(purse => countsOn(purse, day)),
      day,
    ),
)

/** An amount in the smallest denomination. */
export const inKogi = (amount: number, { kogi }: Pick<Denomination, 'kogi'>): number => amount * kogi

/**
 * A sum of the smallest denomination as people count it: whole Korony, of the rest whole Talary, then Kogi. The
 * sign is that of each part (-20,305 is -2, -3, -5).
 */
export const countOut = (kogi: number): ReadonlyArray<Pick<Amount, 'denomination' | 'amount'>> => {
  let rest = kogi
  return denominations.map(denomination => {
    const amount = Math.trunc(rest / denomination.kogi)
    rest -= amount * denomination.kogi
    // A rest below zero would leave -0.
    return { denomination: denomination.name, amount: amount === 0 ? 0 : amount }
  })
}

/** The denominations that rows of `@generyczne_nazwy` name, each once, in order. Only the first one counts. */
export const denominationsIn = (item: Pick<Entity, 'rows'>): ReadonlyArray<Denomination> => [
  ...new Set(genericNames(item).flatMap(name => denominationOf(name) ?? [])),
]

/** The one denomination of an item; null where it is no money. */
export const denominationIn = (item: Pick<Entity, 'rows'>): Denomination | null =>
  denominationsIn(item)[0] ?? null

/** The purses that a row ever gave to an owner, on whatever day, in the order of the registry. */
export const pursesEverOf = (entities: Entities, owner: Entity | NameKey): ReadonlyArray<Purse> => {
  const keys = typeof owner === 'string' ? [owner] : [owner.key, ...aliasKeys(owner)]
  const isGiven = ({ item }: Purse): boolean =>
    item.rows.some(
      row => isOwnerRow(row) && (ownerOfRow(entities, item, row) ?? nameKey(row.value)) === owner,
    )
  return entities.groups.flatMap(group => {
    const named = pursesNaming(group)
    const found = new Set(keys.flatMap(key => named.get(key) ?? none))
    const inOrder = [...found].sort((one, other) => one.at - other.at)
    return inOrder.flatMap(({ purse }) => (isGiven(purse) ? [purse] : []))
  })
}

/** A purse with its place in its file. */
interface PlacedPurse {
  readonly purse: Purse
  readonly at: number
}

const none: ReadonlyArray<PlacedPurse> = []

/** The purse that an item is; null where it is no money. */
const purseOf = perValue((item: Entity): Purse | null => {
  const denomination = denominationIn(item)
  return denomination === null ? null : { item, denomination }
})

const isOwnerRow = ({ tag, value }: Row): boolean => tag === 'należy_do' && value !== ''

/** The purses of a file by every name that a row of an owner has: as written, and that of a recorded block. */
const pursesNaming = perValue(
  (group: ReadonlyArray<Entity>): ReadonlyMap<NameKey, ReadonlyArray<PlacedPurse>> => {
    const named = new Map<NameKey, Array<PlacedPurse>>()
    group.forEach((item, at) => {
      const purse = item.type === 'Przedmiot' ? purseOf(item) : null
      if (purse === null) return
      const texts = item.rows
        .filter(isOwnerRow)
        .flatMap(({ value, owner }) => [value, owner?.heading ?? value])
      const placed = { purse, at }
      for (const key of new Set(texts.map(nameKey))) {
        const known = named.get(key)
        if (known === undefined) named.set(key, [placed])
        else known.push(placed)
      }
    })
    return named
  },
)
