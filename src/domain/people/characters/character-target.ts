import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { nearestBlocks } from '#src/domain/names/nearest.js'
import type { People } from '../person.js'
import { personNamed } from '../store/roster.js'
import { characterNamed } from './characters.js'

interface Ground {
  readonly entities: Entities
  readonly people: People
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
