import type { Day } from '#protocol/atoms/day.js'
import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import type { Status } from '#protocol/atoms/vocabulary.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { statusOn } from '#src/domain/entities/state.js'
import { playerNameOn } from '../owner-name.js'
import type { People } from '../person.js'

/**
 * A Postać on a day. `owner` is the heading of the Gracz when the store knows it, else the name as written.
 */
export interface Character {
  readonly entity: Entity
  readonly name: string
  readonly status: Status
  readonly owner: string | null
}

/** The Postacie on a day, in the order of the index. */
export interface Characters {
  readonly all: ReadonlyArray<Character>
  readonly of: ReadonlyMap<Entity, Character>
  /** By the key of the owner's heading, or of the owner as written. */
  readonly byOwner: ReadonlyMap<NameKey, ReadonlyArray<Character>>
}

/** The status and the owner of a character on a day. */
export const characterOn = (entity: Entity, people: People, day: Day): Character => ({
  entity,
  name: entity.name,
  status: statusOn(entity, day),
  owner: playerNameOn(people, entity, day),
})

/** The characters on a day, by entity and by owner. */
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

/** The Postać of a name: by heading, else by an alias that no other Postać has (D12). */
export const characterNamed = (entities: Entities, name: string): Entity | null => {
  const key = nameKey(name)
  const among = (all: ReadonlyArray<Entity> | undefined): ReadonlyArray<Entity> =>
    (all ?? []).filter(entity => entity.type === 'Postać')
  const [heading] = among(entities.byHeading.get(key))
  const aliases = among(entities.byAlias.get(key))
  return heading ?? (aliases.length === 1 ? (aliases[0] ?? null) : null)
}
