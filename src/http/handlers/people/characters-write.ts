import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { TagPatch, UpdateAnswer } from '#protocol/entities/write.js'
import type { charactersWriteRoutes } from '#protocol/people/character-routes.js'
import type { Refusal, RefusalOf } from '#protocol/refusal.js'
import type { Caller } from '#src/domain/callers/caller.js'
import type { Entity } from '#src/domain/entities/entity.js'
import type { ChangeSet } from '#src/domain/lore/edits/change-set.js'
import { valueText } from '#src/domain/lore/lines/plain-text.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'
import { entityOfCharacter } from '#src/domain/people/characters/character-target.js'
import { ownScopeAt } from '#src/http/handlers/cast.js'
import type { CallersPlan, Handlers } from '#src/http/routing/handler.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { deletedOfType, patchedOfType } from '#src/writing/entities/of-type.js'
import { tagName } from '#src/writing/entities/wanted-tag.js'
import { createdCharacter } from '#src/writing/people/create-character.js'
import { refuseOwnNames, refuseSpellingGone, sightOf } from '#src/writing/people/own-names.js'
import { fromToday, patchRefused } from '#src/writing/people/own-tags.js'
import { characterRefused } from '#src/writing/people/own-writes.js'
import { infoAppended, infoEdited } from '#src/writing/people/write-info.js'

/** The Postać that a caller may write by a name; 403 comes before 404, so that nothing is told (A 4.6.1). */
const written = (
  snapshot: Snapshot,
  caller: Caller,
  name: string,
): Either<RefusalOf<'Forbidden' | 'CharacterNotFound'>, Entity> => {
  const refusal = characterRefused(ownScopeAt(snapshot, caller), name)
  return refusal === null ? entityOfCharacter(snapshot, name) : left(refusal)
}

type Patched = Either<
  RefusalOf<'Forbidden' | 'TagUnknown' | 'ValueRefused' | 'BodyInvalid' | 'NameTaken'>,
  ChangeSet<UpdateAnswer>
>

/** A plan for the Postać that a caller may write. */
const ofCharacter =
  <A, R extends Refusal>(
    name: string,
    rule: (snapshot: Snapshot, character: Entity, caller: Caller) => Either<R, ChangeSet<A>>,
  ): CallersPlan<A, R | RefusalOf<'Forbidden' | 'CharacterNotFound'>> =>
  (snapshot, _nowMs, caller) => {
    const character = written(snapshot, caller, name)
    return isLeft(character) ? character : rule(snapshot, character.right, caller)
  }

/** Refuses what an own-only caller may not do to the names of a Postać: take one that is used, or let one go. */
const namesRefused = (
  snapshot: Snapshot,
  caller: Caller,
  character: Entity,
  patch: TagPatch,
): RefusalOf<'NameTaken'> | null => {
  const tag = tagName(patch.tag)
  if (ownScopeAt(snapshot, caller) === null || patch.value === undefined || !nameTags.has(tag)) return null
  const [sight, value] = [sightOf(caller), valueText(patch.value)]
  const ends = patch.remove === true || (patch.to ?? null) !== null
  const gone = ends ? refuseSpellingGone(snapshot, sight, character, { tag, value }) : null
  if (gone !== null || patch.remove === true) return gone
  return refuseOwnNames(snapshot, sight, [value], character)
}

/** Writes of Postacie (A 4.6): each row only plans, and asks whose they are on the snapshot it plans on. */
export const charactersWriteHandlers: Handlers<typeof charactersWriteRoutes> = {
  'characters.create': ({ body: { name, tags = {} } }) =>
    right({
      plan: (snapshot, _nowMs, caller) =>
        createdCharacter(snapshot, ownScopeAt(snapshot, caller), { name, tags }, sightOf(caller)),
    }),
  'characters.update': ({ path, body }) =>
    right({
      plan: ofCharacter(path.name, (snapshot, character, caller): Patched => {
        const [scope, { day }] = [ownScopeAt(snapshot, caller), snapshot]
        const refusal = patchRefused(scope, body, day)
        if (refusal !== null) return left(refusal)
        const taken = namesRefused(snapshot, caller, character, body)
        return taken === null
          ? patchedOfType(snapshot, character, fromToday(scope, character, body, day))
          : left(taken)
      }),
    }),
  'characters.delete': ({ path }) =>
    right({
      plan: ofCharacter(path.name, (snapshot, character, caller) => {
        const since = ownScopeAt(snapshot, caller) === null ? null : snapshot.day
        return right(deletedOfType(snapshot, character, since))
      }),
    }),
  'characters.addInfo': ({ path, body }) =>
    right({
      plan: ofCharacter(path.name, (snapshot, character, { view }) =>
        infoAppended(snapshot, character, view, body.text),
      ),
    }),
  'characters.changeInfo': ({ path, body }) =>
    right({
      plan: ofCharacter(path.name, (snapshot, character, { view }) =>
        infoEdited(snapshot, character, view, body),
      ),
    }),
  'characters.removeInfo': ({ path, body: { match } }) =>
    right({
      plan: ofCharacter(path.name, (snapshot, character, { view }) =>
        infoEdited(snapshot, character, view, { match, text: null }),
      ),
    }),
}
