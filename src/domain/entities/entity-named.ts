import { type Day, type EntityType, entityTypes, nameKey } from '#protocol/atoms.js'
import type { Entities, Entity } from './entity.js'
import { typeOn } from './state.js'

/** The block that a path parameter names, and the other types that have the same heading or alias (D12). */
export interface NamedEntity {
  readonly entity: Entity
  readonly alsoTypes: ReadonlyArray<EntityType>
}

/**
 * Resolves `{name}`: by heading, then by alias. With `type` only blocks of that type count; without it the
 * first in the order of `entityTypes` is taken (D12). Types are those of `day`. Null when no block matches.
 */
export const entityNamed = (
  entities: Entities,
  name: string,
  day: Day,
  type?: EntityType,
): NamedEntity | null => {
  const key = nameKey(name)
  for (const owners of [entities.byHeading.get(key), entities.byAlias.get(key)]) {
    if (owners === undefined) continue
    const firsts = new Map<EntityType, Entity>()
    for (const owner of owners) {
      const held = typeOn(owner, day)
      if (!firsts.has(held)) firsts.set(held, owner)
    }
    const types = entityTypes.filter(one => firsts.has(one))
    const wanted = type ?? types[0]
    const entity = wanted === undefined ? undefined : firsts.get(wanted)
    if (entity !== undefined) return { entity, alsoTypes: types.filter(one => one !== wanted) }
  }
  return null
}
