import type { Day } from '#protocol/atoms/day.js'
import { nameKey } from '#protocol/atoms/name.js'
import type { EntityType } from '#protocol/atoms/vocabulary.js'
import { rowOn } from '#src/lore/on-day.js'
import type { Row } from '#src/lore/row.js'
import { findRecorded } from './block-record.js'
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
export const ownerMeant = (entities: Entities, entity: Pick<Entity, 'type'>, owner: string): Entity | null =>
  entityMeant(entities, owner, entity.type === 'Postać' ? ofCharacter : ofAnything)

/** The block that an owner row of an entity names: the one recorded with the row, else by the name as written. */
export const ownerOfRow = (entities: Entities, entity: Entity, row: Row): Entity | null =>
  row.owner === undefined ? ownerMeant(entities, entity, row.value) : findRecorded(entities, row.owner)

/** The owner of an entity on a day: as written, and the block meant. Null where no row states one. */
export const ownerBlockOn = (
  entities: Entities,
  entity: Entity,
  day: Day,
): { readonly text: string; readonly block: Entity | null } | null => {
  const row = rowOn(entity.rows, 'należy_do', day)
  return row === null || row.value === ''
    ? null
    : { text: row.value, block: ownerOfRow(entities, entity, row) }
}
