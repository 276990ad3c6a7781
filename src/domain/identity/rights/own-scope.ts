import { nameKey } from '#protocol/atoms/name.js'
import type { Caller, Reader } from '#src/domain/callers/caller.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { type Characters, characterNamed } from '#src/domain/people/characters/characters.js'
import type { People, Person } from '#src/domain/people/person.js'
import { personNamed } from '#src/domain/people/store/roster.js'

/** What an own-only caller may see (A 5.2): nothing but themselves and their Postacie. */
export interface OwnScope {
  /** The caller's block of the store, null when they have none: then nothing is theirs. */
  readonly person: Person | null
  /** Headings of their Postacie, deleted ones included. */
  readonly characters: ReadonlySet<string>
  /** Their blocks. */
  readonly blocks: ReadonlyArray<Entity>
  readonly isSelf: (name: string) => boolean
  readonly isOwnCharacter: (name: string) => boolean
}

/** What the scope is decided from. */
export interface OwnGround {
  readonly people: People
  readonly entities: Entities
  readonly characters: Characters
}

/**
 * The scope of a caller's Gracz. A name is theirs only where it means them and nobody else: by heading or
 * an unshared alias, whatever its case or normal form. A shared alias, an inflected form and an unknown
 * name are nobody's (D11).
 */
export const ownScope = (gracz: string | null, ground: OwnGround): OwnScope => {
  const person = gracz === null ? null : (ground.people.byName.get(nameKey(gracz)) ?? null)
  const owned = person === null ? [] : (ground.characters.byOwner.get(person.key) ?? [])
  const characters = new Set(owned.map(character => character.entity))
  return {
    person,
    characters: new Set(owned.map(character => character.name)),
    blocks: [...characters],
    isSelf: name => person !== null && personNamed(ground.people, name) === person,
    isOwnCharacter: name => {
      const entity = characterNamed(ground.entities, name)
      return entity !== null && characters.has(entity)
    },
  }
}

/** The scope that binds a caller on a row; null where the row's capability is held in full and nothing is bound. */
export const scopeFor = (
  { grade, gracz }: Pick<Reader, 'grade' | 'gracz'>,
  ground: () => OwnGround,
): OwnScope | null => (grade === 'full' ? null : ownScope(gracz, ground()))

/** Whether a caller of a row may act on what hangs on a game id: an own-only one on nobody's but their own. */
export const reachesId = (caller: Pick<Caller, 'grade' | 'gameId'>, gameId: string): boolean =>
  caller.grade === 'full' || (caller.gameId !== null && caller.gameId === gameId)
