import { type Day, type EntityType, nameKey, type Status } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { readQuantity } from '#src/domain/lore/decimal.js'
import { commaList, scalarOn, valuesOn } from '#src/domain/lore/rows/on-day.js'
import { activeOn } from '#src/domain/lore/rows/range.js'
import { spellingIn } from '#src/domain/lore/rows/spelling.js'
import type { Entity } from './entity.js'
import { statusOf, typeOf } from './reading/type-of.js'

/**
 * The `@typ` rows of an entity whose type changes over time; null for one that keeps it, as nearly all do.
 */
const typeChanges = perValue((entity: Entity) => {
  const stated = entity.rows.flatMap(({ tag, value, range }) => {
    const type = tag === 'typ' ? typeOf(value) : null
    return type === null ? [] : [{ type, range }]
  })
  return stated.every(({ type }) => type === entity.type) ? null : stated
})

/** The type on a day: the last active `@typ` that names one, else the type of the block. */
export const typeOn = (entity: Entity, day: Day): EntityType =>
  typeChanges(entity)?.findLast(({ range }) => activeOn(range, day))?.type ?? entity.type

/**
 * The status on a day: Aktywny when none is stated (FORMATS 1.4), Niepewny for a text that is none of the
 * four (FORMATS 10).
 */
export const statusOn = (entity: Entity, day: Day): Status => {
  const text = scalarOn(entity.rows, 'status', day)
  return text === null ? 'Aktywny' : (statusOf(text) ?? 'Niepewny')
}

/** The owner as written (`@należy_do`). */
export const ownerOn = (entity: Entity, day: Day): string | null => scalarOn(entity.rows, 'należy_do', day)

/** The location as written; for a Lokacja that is its parent. A slash path is not split. */
export const locationOn = (entity: Entity, day: Day): string | null => scalarOn(entity.rows, 'lokacja', day)

export const groupsOn = (entity: Entity, day: Day): ReadonlyArray<string> =>
  valuesOn(entity.rows, 'grupa', day)

export const doorsOn = (entity: Entity, day: Day): ReadonlyArray<string> =>
  valuesOn(entity.rows, 'drzwi', day)

export const aliasesOn = (entity: Entity, day: Day): ReadonlyArray<string> =>
  valuesOn(entity.rows, 'alias', day)

export const genericNamesOn = (entity: Entity, day: Day): ReadonlyArray<string> => [
  ...new Set(valuesOn(entity.rows, 'generyczne_nazwy', day).flatMap(commaList)),
]

/**
 * The other spellings on a day, in the order of B 2.1: `@nazwa_svc`, `@alias`, `@nick`; never the heading.
 */
export const spellingsOn = (entity: Entity, day: Day): ReadonlyArray<string> => {
  const seen = new Set([entity.key])
  return ['nazwa_svc', 'alias', 'nick']
    .flatMap(tag => valuesOn(entity.rows, tag, day))
    .flatMap(value => spellingIn({ value }) ?? [])
    .filter(name => {
      const key = nameKey(name)
      if (seen.has(key)) return false
      seen.add(key)
      return true
    })
}

/**
 * The quantity on a day, an integer of either sign; null when none is stated or it is no integer (FORMATS
 * 1.8).
 */
export const quantityOn = (entity: Entity, day: Day): number | null => {
  const text = scalarOn(entity.rows, 'ilość', day)
  return text === null ? null : readQuantity(text)
}

/** The entity's document (`@plik`), as written. */
export const documentOn = (entity: Entity, day: Day): string | null => scalarOn(entity.rows, 'plik', day)
