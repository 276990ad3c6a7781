import type { EntityType } from '#protocol/atoms/vocabulary.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entity } from './entity.js'

type Group = ReadonlyArray<Entity>

/**
 * How many blocks may share a name and all be told by it. No community is as careless; an answer that names all of
 * thousands, for each of thousands of rows that name them, would grow with the square (ADR 1028).
 */
export const homonymsMax = 200

const firsts = perValue((group: Group): ReadonlyMap<EntityType, Entity> => {
  const found = new Map<EntityType, Entity>()
  for (const entity of group) if (!found.has(entity.type)) found.set(entity.type, entity)
  return found
})

/**
 * The first of a type among those who share a name. Thousands may share one: then each row that names it costs one
 * look-up, not one walk through them.
 */
export const firstOfType = (group: Group, type: EntityType): Entity | undefined => firsts(group).get(type)
