import { type Day, type EntityType, nameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { rowOn } from '#src/domain/lore/rows/on-day.js'
import type { Row } from '#src/domain/lore/rows/row.js'
import type { Entities, Entity } from './entity.js'
import { firstOfType } from './homonyms.js'
import { findRecorded } from './reading/block-record.js'

/**
 * The block that a name in a row means: by heading, else by alias; among homonyms the types in `before` come
 * first.
 */
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

const ofAnything: ReadonlyArray<EntityType> = ['Postać', 'NPC', 'Grupa']

const playersAmong = perValue((owners: ReadonlyArray<Entity>) => owners.filter(one => one.type === 'Gracz'))

/**
 * The owner of a Postać: a Gracz by heading, else by alias; null when several Gracze have the alias. Without
 * a Gracz any block.
 */
const playerMeant = (entities: Entities, owner: string): Entity | null => {
  const key = nameKey(owner)
  const [headed, called] = [entities.byHeading.get(key), entities.byAlias.get(key)]
  const player = headed === undefined ? undefined : firstOfType(headed, 'Gracz')
  if (player !== undefined) return player
  const [first, second] = called === undefined ? [] : playersAmong(called)
  if (first === undefined) return entityMeant(entities, owner, [])
  return second === undefined ? first : null
}

/**
 * The block that an entity's `@należy_do` names: for a Postać its Gracz, else any block that can own things.
 */
export const ownerMeant = (entities: Entities, entity: Pick<Entity, 'type'>, owner: string): Entity | null =>
  entity.type === 'Postać' ? playerMeant(entities, owner) : entityMeant(entities, owner, ofAnything)

/** The block that an owner row names: the one recorded with the row, else by the name as written. */
export const ownerOfRow = (entities: Entities, entity: Entity, row: Row): Entity | null =>
  row.owner === undefined ? ownerMeant(entities, entity, row.value) : findRecorded(entities, row.owner)

/**
 * The owner of an entity on a day: the text as written, and the block that it means. Null when no row states
 * an owner.
 */
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
