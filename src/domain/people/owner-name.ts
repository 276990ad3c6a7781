import type { Day } from '#protocol/atoms.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { ownerBlockOn } from '#src/domain/entities/meaning.js'
import { ownerOn } from '#src/domain/entities/state.js'
import type { People } from './person.js'
import { personNamed } from './store/roster.js'

/**
 * The owner of a Postać on a day: the heading of the Gracz when the store knows the name, else the name as
 * written.
 */
export const playerNameOn = (people: People, character: Entity, day: Day): string | null => {
  const written = ownerOn(character, day)
  return written === null ? null : (personNamed(people, written)?.name ?? written)
}

/**
 * Returns a function for the owner of an entity on a day, used by every route: for a Postać the Gracz, for
 * anything else the heading of the block. An unknown name is returned as written; null when the entity states
 * no owner.
 */
export const ownerNameOn =
  ({ entities, people }: { readonly entities: Entities; readonly people: People }) =>
  (entity: Entity, day: Day): string | null => {
    if (entity.type === 'Postać') return playerNameOn(people, entity, day)
    const owner = ownerBlockOn(entities, entity, day)
    return owner === null ? null : (owner.block?.name ?? owner.text)
  }
