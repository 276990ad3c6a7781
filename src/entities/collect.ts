import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import { type EntityType, entityTypes } from '#protocol/atoms/vocabulary.js'
import type { Finding } from '#src/lore/finding.js'
import { perValue } from '#src/lore/per-value.js'
import { nameTags } from '#src/lore/rows.js'
import type { Entities, Entity } from './entity.js'

const rank: ReadonlyMap<EntityType, number> = new Map(entityTypes.map((type, at) => [type, at] as const))

/** Homonyms in the order of D12: by type; the contributor store before an index block. */
export const byRank = (entities: ReadonlyArray<Entity>): ReadonlyArray<Entity> =>
  entities.length < 2
    ? entities
    : [...entities].sort((left, right) => (rank.get(left.type) ?? 0) - (rank.get(right.type) ?? 0))

/** The keys of every other spelling of an entity, whatever its range: `@alias`, `@nazwa_svc`, `@nick`. */
export const aliasKeys = perValue((entity: Entity): ReadonlyArray<NameKey> => {
  const keys = new Set<NameKey>()
  for (const row of entity.rows) if (nameTags.has(row.tag) && row.value !== '') keys.add(nameKey(row.value))
  keys.delete(entity.key)
  return [...keys]
})

const put = <K>(map: Map<K, Array<Entity>>, key: K, entity: Entity): void => {
  const known = map.get(key)
  if (known === undefined) map.set(key, [entity])
  else known.push(entity)
}

const ranked = (map: Map<NameKey, ReadonlyArray<Entity>>): ReadonlyMap<NameKey, ReadonlyArray<Entity>> => {
  for (const [key, owners] of map) if (owners.length > 1) map.set(key, byRank(owners))
  return map
}

/** The maps over a list of entities. Linear: what a commit did not change is looked up, not read again. */
export const collect = (all: ReadonlyArray<Entity>, findings: ReadonlyArray<Finding>): Entities => {
  const byHeading = new Map<NameKey, Array<Entity>>()
  const byAlias = new Map<NameKey, Array<Entity>>()
  const byType = new Map<EntityType, Array<Entity>>()
  for (const entity of all) {
    put(byHeading, entity.key, entity)
    put(byType, entity.type, entity)
    for (const key of aliasKeys(entity)) put(byAlias, key, entity)
  }
  return { all, byHeading: ranked(byHeading), byAlias: ranked(byAlias), byType, findings }
}
