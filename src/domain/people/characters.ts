import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { type Day, type NameKey, nameKey, type Status } from '#protocol/atoms.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { perDay, perValue } from '#src/domain/caching/per-value.js'
import { type Entities, type Entity, statusOn } from '#src/domain/entities/entity.js'
import { rowOn, scalarOn, valuesOn } from '#src/domain/lore/rows/deciding-order.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { nearestBlocks } from '#src/domain/names/nearest.js'
import { type Reputation, reputationEntry } from './reputation.js'
import { type People, personNamed, playerNameOn } from './roster.js'
import { type CharacterFile, type DescribedSession, isNone, type ReputationEntry } from './section-body.js'

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
 * does not depend on the day (`typeOn` does). A block that did not change is the same character as before.
 */
export const charactersOf = (entities: Entities, people: People, day: Day): Characters => {
  const known = knownOf(people, day)
  const all = (entities.byType.get('Postać') ?? []).map(entity => {
    const before = known.get(entity)
    if (before !== undefined) return before
    const character = characterOn(entity, people, day)
    known.set(entity, character)
    return character
  })
  const byOwner = new Map<NameKey, Array<Character>>()
  for (const character of all) {
    const key = ownerKeyOf(character)
    if (key === null) continue
    const owned = byOwner.get(key)
    if (owned === undefined) byOwner.set(key, [character])
    else owned.push(character)
  }
  return { all, of: new Map(all.map(one => [one.entity, one])), byOwner }
}

/** The characters of the last day, by their entities, as long as the people are the same. */
const knownOf = perDay((_people: People, _day: Day) => new WeakMap<Entity, Character>())

const ownerKeyOf = perValue(({ owner }: Character) => (owner === null ? null : nameKey(owner)))

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

/**
 * The state of a character on a day: its file, overlaid with the rows of its block and of closed sessions
 * (FORMATS 3).
 */
export interface CharacterState {
  readonly sheet: string | null
  readonly restrictedTopics: string | null
  readonly condition: string | null
  readonly specialItems: ReadonlyArray<string>
  readonly reputation: Reputation
  readonly additionalInfo: ReadonlyArray<string>
  readonly describedSessions: ReadonlyArray<DescribedSession>
}

/** Values of the file, then those of the active rows, without repetition. */
export const mergeValues = (
  base: ReadonlyArray<string>,
  added: ReadonlyArray<string>,
): ReadonlyArray<string> => [...new Set([...base, ...added])]

/**
 * The places of a tier: those of the file and of rows. A place keeps the detail of the file unless its row
 * brings one.
 */
export const mergeTier = (
  base: ReadonlyArray<ReputationEntry>,
  added: ReadonlyArray<string>,
): ReadonlyArray<ReputationEntry> => {
  const merged = new Map<NameKey, ReputationEntry>()
  for (const entry of [...base, ...added.flatMap(text => reputationEntry(text) ?? [])]) {
    const known = merged.get(nameKey(entry.location))
    merged.set(nameKey(entry.location), {
      location: known?.location ?? entry.location,
      detail: entry.detail ?? known?.detail ?? null,
    })
  }
  return [...merged.values()]
}

/** The state of a character on a day. `file` is null when the character has none. */
export const stateOn = (file: CharacterFile | null, rows: ReadonlyArray<Row>, day: Day): CharacterState => {
  const tier = (name: keyof Reputation, tag: string): ReadonlyArray<ReputationEntry> =>
    mergeTier(file?.reputation[name] ?? none, valuesOn(rows, tag, day))
  const topics = scalar(file?.restrictedTopics ?? null, rows, 'tematy_zastrzezone', day)
  return {
    sheet: scalar(file?.sheet ?? null, rows, 'karta_postaci', day),
    restrictedTopics: topics === null || isNone(topics) ? null : topics,
    condition: scalar(file?.condition ?? null, rows, 'stan', day),
    specialItems: mergeValues(file?.specialItems ?? none, valuesOn(rows, 'przedmiot_specjalny', day)),
    reputation: {
      positive: tier('positive', 'reputacja_pozytywna'),
      neutral: tier('neutral', 'reputacja_neutralna'),
      negative: tier('negative', 'reputacja_negatywna'),
    },
    additionalInfo: mergeValues(file?.additionalInfo ?? none, valuesOn(rows, 'dodatkowe_informacje', day)),
    describedSessions: file?.describedSessions ?? none,
  }
}

/** The Postać of a name. For the name of a Gracz the refusal says where their characters are (A 4.6.6). */
export const entityOfCharacter = (
  { entities, people }: Ground,
  name: string,
): Either<RefusalOf<'CharacterNotFound'>, Entity> => {
  const entity = characterNamed(entities, name)
  if (entity !== null) return right(entity)
  const nearest = nearestBlocks(entities, name, 'Postać')
  const person = personNamed(people, name)
  if (person === null)
    return left(
      refuse('CharacterNotFound', `No Postać has the heading or alias "${name}".`, { see: null, nearest }),
    )
  const detail = `"${person.name}" is a Gracz; see /people/${person.name}/characters.`
  return left(
    refuse('CharacterNotFound', detail, {
      see: `/people/${encodeURIComponent(person.name)}/characters`,
      nearest,
    }),
  )
}

/**
 * A scalar of the file, or the active row of a tag. The file is undated and sorts first, so any active row
 * overrides it.
 */
const scalar = (base: string | null, rows: ReadonlyArray<Row>, tag: string, day: Day): string | null =>
  scalarOn(rows, tag, day) ?? base

const none: ReadonlyArray<never> = []

interface Ground {
  readonly entities: Entities
  readonly people: People
}
