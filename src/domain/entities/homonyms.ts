import type { EntityType } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entity } from './entity.js'

type Group = ReadonlyArray<Entity>

/**
 * The largest number of blocks that may share a name and still all be listed under it. Real lore stays far
 * below it. Without the limit, an answer that lists thousands of blocks for each of thousands of rows would
 * grow with the square (ADR 1028).
 */
export const homonymsMax = 200

const firsts = perValue((group: Group): ReadonlyMap<EntityType, Entity> => {
  const found = new Map<EntityType, Entity>()
  for (const entity of group) if (!found.has(entity.type)) found.set(entity.type, entity)
  return found
})

/**
 * The first entity of a type in a group. Computed once per group, so that each row naming a shared name costs
 * one look-up.
 */
export const firstOfType = (group: Group, type: EntityType): Entity | undefined => firsts(group).get(type)
