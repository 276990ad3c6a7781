import { type Day, type NameKey, nameKey, type Status } from '#protocol/atoms.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { statusOn } from '#src/domain/entities/state.js'
import { rowOn } from '#src/domain/lore/rows/on-day.js'
import { playerNameOn } from '../owner-name.js'
import type { People } from '../person.js'

/**
 * A Postać on a day. `name` is its heading on any day. `owner` is the heading of the Gracz when the store
 * knows it, else the name as written; null when the entity states no owner for the day.
 */
export interface Character {
  readonly entity: Entity
  readonly name: string
  readonly status: Status
  readonly owner: string | null
  /** The row of the owner has a day that cannot be read: the Postać is nobody's own. */
  readonly unsure?: true
}

/** The Postacie with their state on a day, in the order of the index. */
export interface Characters {
  readonly all: ReadonlyArray<Character>
  /** The character of each entity. */
  readonly of: ReadonlyMap<Entity, Character>
  /**
   * By the key of the owner's heading, or of the owner as written. A character without an owner is not in the
   * map.
   */
  readonly byOwner: ReadonlyMap<NameKey, ReadonlyArray<Character>>
}

/**
 * The name, status and owner of an entity on a day. It does not check the type: the caller passes a Postać.
 * Computed at each call.
 */
export const characterOn = (entity: Entity, people: People, day: Day): Character => {
  const owner = playerNameOn(people, entity, day)
  const character = { entity, name: entity.name, status: statusOn(entity, day), owner }
  const isUnsure = owner !== null && rowOn(entity.rows, 'należy_do', day)?.unsure === true
  return isUnsure ? { ...character, unsure: true } : character
}

/**
 * Every block of type Postać, in any status, with its state on a day. The type is that of the block, which
 * does not depend on the day (`typeOn` does). Computed at each call.
 */
export const charactersOf = (entities: Entities, people: People, day: Day): Characters => {
  const all = (entities.byType.get('Postać') ?? []).map(entity => characterOn(entity, people, day))
  const byOwner = new Map<NameKey, Array<Character>>()
  for (const character of all) {
    if (character.owner === null) continue
    const owned = byOwner.get(nameKey(character.owner))
    if (owned === undefined) byOwner.set(nameKey(character.owner), [character])
    else owned.push(character)
  }
  return { all, of: new Map(all.map(one => [one.entity, one])), byOwner }
}

/**
 * Finds the Postać of a name, compared by `nameKey`: the first with that heading, also when several have
 * it, else the one with that alias. Null when none matches, or when several Postacie have the alias (D12).
 * An alias counts with any range, so the result does not depend on a day.
 */
export const characterNamed = (entities: Entities, name: string): Entity | null => {
  const key = nameKey(name)
  const among = (all: ReadonlyArray<Entity> | undefined): ReadonlyArray<Entity> =>
    (all ?? []).filter(entity => entity.type === 'Postać')
  const [heading] = among(entities.byHeading.get(key))
  const aliases = among(entities.byAlias.get(key))
  return heading ?? (aliases.length === 1 ? (aliases[0] ?? null) : null)
}
