import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import type { EntityType } from '#protocol/atoms/vocabulary.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Entities, Entity } from '../entity.js'
import { aType } from './article.js'

const isOther = (entity: Entity, than: Entity | null): boolean => entity !== than

/** The block of the type that answers to a name already, by heading or by another spelling; `than` may. */
export const bearerOf = (
  entities: Entities,
  key: NameKey,
  type: EntityType,
  than: Entity | null = null,
): Entity | null => {
  const all = [...(entities.byHeading.get(key) ?? []), ...(entities.byAlias.get(key) ?? [])]
  return all.find(one => one.type === type && isOther(one, than)) ?? null
}

export const nameTaken = (name: string, { name: heading, type }: Entity): RefusalOf<'NameTaken'> => {
  const how = nameKey(name) === nameKey(heading) ? '' : ` as another spelling of „${heading}”`
  return refuse('NameTaken', `${aType(type)} bears the name „${name}”${how}. Choose another.`, { name, type })
}
