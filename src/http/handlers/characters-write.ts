import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { charactersWriteRoutes } from '#protocol/people/character-routes.js'
import type { RefusalOf } from '#protocol/refusal.js'
import type { Snapshot } from '#src/corpus/snapshot.js'
import type { Entity } from '#src/entities/entity.js'
import { deletedOfType, patchedOfType } from '#src/entities/writing/of-type.js'
import { tagName } from '#src/entities/writing/wanted-tag.js'
import type { Handlers } from '#src/http/handler.js'
import type { Caller } from '#src/identity/caller.js'
import { entityOfCharacter } from '#src/people/character-target.js'
import { createdCharacter } from '#src/people/writing/create-character.js'
import { characterRefused, tagRefused } from '#src/people/writing/own-writes.js'
import { ownScopeAt } from './cast.js'

/** The Postać that a caller may write by a name; 403 comes before 404, so that nothing is told (A 4.6.1). */
const written = (
  snapshot: Snapshot,
  caller: Caller,
  name: string,
): Either<RefusalOf<'Forbidden' | 'CharacterNotFound'>, Entity> => {
  const refusal = characterRefused(ownScopeAt(snapshot, caller), name)
  return refusal === null ? entityOfCharacter(snapshot, name) : left(refusal)
}

/** Writes of Postacie (A 4.6): each row only plans, and asks whose they are on the snapshot it plans on. */
export const charactersWrite: Handlers<typeof charactersWriteRoutes> = {
  'characters.create': ({ body: { name, tags = {} }, caller }) =>
    right({ plan: snapshot => createdCharacter(snapshot, ownScopeAt(snapshot, caller), { name, tags }) }),
  'characters.update': ({ path, body, caller }) =>
    right({
      plan: snapshot => {
        const character = written(snapshot, caller, path.name)
        if (isLeft(character)) return character
        const value = body.remove === true ? null : (body.value ?? null)
        const refusal = tagRefused(ownScopeAt(snapshot, caller), tagName(body.tag), value)
        return refusal === null ? patchedOfType(snapshot, character.right, body) : left(refusal)
      },
    }),
  'characters.delete': ({ path, caller }) =>
    right({
      plan: snapshot => {
        const character = written(snapshot, caller, path.name)
        return isLeft(character) ? character : right(deletedOfType(snapshot, character.right))
      },
    }),
}
