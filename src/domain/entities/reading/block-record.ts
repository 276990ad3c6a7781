import { type EntityType, nameKey } from '#protocol/atoms.js'
import type { Entities, Entity } from '../entity.js'
import { typeOf } from './type-of.js'

/** A block as a ledger names it: its heading and its type when it was recorded. */
export interface BlockRecord {
  readonly heading: string
  readonly type: EntityType
}

export const blockRecord = ({ name, type }: Entity): BlockRecord => ({ heading: name, type })

/** Whether a block has or had the type: a closed `@typ` row keeps an earlier one. */
export const wasEver = (entity: Entity, type: EntityType): boolean =>
  entity.type === type || entity.rows.some(row => row.tag === 'typ' && typeOf(row.value) === type)

/**
 * The block that a record means today; null when it no longer exists. A renamed block is found by its old
 * heading, which stays as an alias, and one with a new type by its `@typ` rows. Never returns a block of the
 * heading that never had the type, because that is a homonym.
 */
export const findRecorded = (entities: Entities, { heading, type }: BlockRecord): Entity | null => {
  const key = nameKey(heading)
  const groups = [entities.byHeading.get(key) ?? [], entities.byAlias.get(key) ?? []]
  for (const group of groups) {
    const found = group.find(one => one.type === type) ?? group.find(one => wasEver(one, type))
    if (found !== undefined) return found
  }
  return null
}
