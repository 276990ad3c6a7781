import type { Day } from '#protocol/atoms/day.js'
import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import { Status } from '#protocol/atoms/vocabulary.js'
import type { Entities, Entity } from '#src/entities/entity.js'
import { valueOn, valuesOn } from './active-rows.js'
import type { People } from './person.js'
import { personNamed } from './roster.js'

/** A Postać on a day. `owner` is the heading of the Gracz where the store knows it, else as written. */
export interface Character {
  readonly entity: Entity
  readonly name: string
  readonly status: Status
  readonly owner: string | null
  readonly groups: ReadonlyArray<string>
  readonly location: string | null
  /** Names of the day beside the heading. */
  readonly aliases: ReadonlyArray<string>
}

/** The Postacie on a day, in the order of the index. */
export interface Characters {
  readonly all: ReadonlyArray<Character>
  readonly of: ReadonlyMap<Entity, Character>
  /** By the key of the owner's heading, or of the owner as written. */
  readonly byOwner: ReadonlyMap<NameKey, ReadonlyArray<Character>>
}

/** A Postać block on a day. An unknown status counts as Niepewny (FORMATS 10). */
export const characterOn = (entity: Entity, people: People, day: Day): Character => {
  const value = (tag: string): string | null => valueOn(entity.rows, tag, day)
  const values = (tag: string): ReadonlyArray<string> => valuesOn(entity.rows, tag, day)
  const [owner, status] = [value('należy_do'), value('status') ?? 'Aktywny']
  return {
    entity,
    name: entity.name,
    status: Status.is(status) ? status : 'Niepewny',
    owner: owner === null ? null : (personNamed(people, owner)?.name ?? owner),
    groups: values('grupa'),
    location: value('lokacja'),
    aliases: [...values('alias'), ...values('nazwa_svc'), ...values('nick')],
  }
}

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

/** The Postać that a name belongs to: by heading, else by an alias that no other Postać has (D12). */
export const characterNamed = (entities: Entities, name: string): Entity | null => {
  const key = nameKey(name)
  const among = (all: ReadonlyArray<Entity> | undefined): ReadonlyArray<Entity> =>
    (all ?? []).filter(entity => entity.type === 'Postać')
  const [heading] = among(entities.byHeading.get(key))
  const aliases = among(entities.byAlias.get(key))
  return heading ?? (aliases.length === 1 ? (aliases[0] ?? null) : null)
}
