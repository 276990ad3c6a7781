import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import type { Entities, Entity } from '#src/entities/entity.js'
import { commaList } from '#src/lore/on-day.js'
import type { NameIndex } from './resolution.js'

/** The names of `@generyczne_nazwy`, in order, whatever their range. */
export const genericNames = (entity: Entity): ReadonlyArray<string> =>
  entity.rows.flatMap(row => (row.tag === 'generyczne_nazwy' ? commaList(row.value) : []))

const genericOf = (entities: Entities): ReadonlyMap<NameKey, ReadonlyArray<Entity>> => {
  const owners = new Map<NameKey, Array<Entity>>()
  for (const entity of entities.all)
    for (const key of new Set(genericNames(entity).map(nameKey))) {
      const known = owners.get(key)
      if (known === undefined) owners.set(key, [entity])
      else known.push(entity)
    }
  return owners
}

/** The index of every spelling of every block. */
export const nameIndexOf = (entities: Entities): NameIndex => ({
  exact: entities.byHeading,
  alias: entities.byAlias,
  generic: genericOf(entities),
})
