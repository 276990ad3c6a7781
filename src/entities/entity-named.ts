import { nameKey } from '#protocol/atoms/name.js'
import type { EntityType } from '#protocol/atoms/vocabulary.js'
import type { Entities, Entity } from './entity.js'

/** The block a path parameter names, and the other types that answer to the same heading or alias (D12). */
export interface Named {
  readonly entity: Entity
  readonly alsoTypes: ReadonlyArray<EntityType>
}

/**
 * The block that `{name}` means: heading, then alias. With `type` only blocks of that type are asked; without
 * it the first in the order of `entityTypes` is taken (D12). Null when none answers.
 */
export const entityNamed = (entities: Entities, name: string, type?: EntityType): Named | null => {
  const key = nameKey(name)
  for (const owners of [entities.byHeading.get(key), entities.byAlias.get(key)]) {
    const entity = type === undefined ? owners?.[0] : owners?.find(one => one.type === type)
    if (entity === undefined || owners === undefined) continue
    const others = new Set(owners.map(one => one.type))
    others.delete(entity.type)
    return { entity, alsoTypes: [...others] }
  }
  return null
}
