import { nameKey } from '#protocol/atoms.js'
import type { Route } from '#protocol/route.js'
import type { Caller, Reader } from '#src/domain/callers/caller.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { type Characters, characterNamed } from '#src/domain/people/characters/characters.js'
import type { People, Person } from '#src/domain/people/person.js'
import { personNamed } from '#src/domain/people/store/roster.js'
import { gradeOf } from './grade.js'

/** The scope of a caller limited to their own (A 5.2): themselves and their Postacie. */
export interface OwnScope {
  /** The caller's block of the store; null when they have none, and then nothing is theirs. */
  readonly person: Person | null
  /** Headings of their Postacie, including deleted ones. */
  readonly characters: ReadonlySet<string>
  /** The blocks of their Postacie. */
  readonly blocks: ReadonlyArray<Entity>
  readonly isSelf: (name: string) => boolean
  readonly isOwnCharacter: (name: string) => boolean
}

/** The inputs of a scope. */
export interface OwnGround {
  readonly people: People
  readonly entities: Entities
  readonly characters: Characters
}

/**
 * The scope of a caller's Gracz. A name is theirs only when it means them alone: by heading or an unshared
 * alias, in any case or normal form. A shared alias, an inflected form and an unknown name never match (D11).
 */
export const ownScope = (gracz: string | null, ground: OwnGround): OwnScope => {
  const person = gracz === null ? null : (ground.people.byName.get(nameKey(gracz)) ?? null)
  const named = person === null ? [] : (ground.characters.byOwner.get(person.key) ?? [])
  const owned = named.filter(({ unsure }) => unsure !== true)
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

/** The scope that limits a caller on a row; null when the caller holds the row's capability in full. */
export const scopeFor = (
  { grade, gracz }: Pick<Reader, 'grade' | 'gracz'>,
  ground: () => OwnGround,
): OwnScope | null => (grade === 'full' ? null : ownScope(gracz, ground()))

/**
 * Whether a write of this row is a player's own: the caller holds its capability as `.own`, or reports a session
 * and may not write sessions.
 */
export const isOwnWrite = (
  { capability }: Pick<Route, 'capability'>,
  { grade, holds }: Pick<Caller, 'grade' | 'holds'>,
): boolean =>
  grade === 'own' || (capability === 'session.report' && gradeOf(holds, 'session.write') !== 'full')

/** Whether a caller may act on what belongs to a game id: with an own-only grade only on their own id. */
export const reachesId = (caller: Pick<Caller, 'grade' | 'gameId'>, gameId: string): boolean =>
  caller.grade === 'full' || (caller.gameId !== null && caller.gameId === gameId)
