import { nameKey } from '#protocol/atoms/name.js'
import type { EntityType } from '#protocol/atoms/vocabulary.js'
import type { Entities, Entity } from './entity.js'
import { firstOfType } from './homonyms.js'

/** The block that a name in a row means: heading, else alias; types of `before` first among homonyms. */
export const entityMeant = (
  entities: Entities,
  text: string,
  before: ReadonlyArray<EntityType>,
): Entity | null => {
  const key = nameKey(text)
  const owners = entities.byHeading.get(key) ?? entities.byAlias.get(key) ?? []
  for (const type of before) {
    const preferred = firstOfType(owners, type)
    if (preferred !== undefined) return preferred
  }
  return owners[0] ?? null
}

const ofCharacter: ReadonlyArray<EntityType> = ['Gracz']
const ofAnything: ReadonlyArray<EntityType> = ['Postać', 'NPC', 'Grupa']

/**
 * The block that an entity's `@należy_do` names: a Gracz first where a Postać is owned, else whoever can hold
 * things.
 */
export const ownerMeant = (entities: Entities, entity: Entity, owner: string): Entity | null =>
  entityMeant(entities, owner, entity.type === 'Postać' ? ofCharacter : ofAnything)
