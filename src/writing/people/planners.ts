import { type Either, isLeft, left } from 'fp-ts/lib/Either.js'
import type { charactersWriteRoutes } from '#protocol/characters.js'
import type { TagPatch, UpdateAnswer } from '#protocol/entity-writes.js'
import type { Refusal, RefusalOf } from '#protocol/refusal.js'
import type { Caller } from '#src/domain/callers/caller.js'
import type { Entity } from '#src/domain/entities/entity.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import { nameTags, valueText } from '#src/domain/lore/rows.js'
import { entityOfCharacter } from '#src/domain/people/characters.js'
import { ownScopeAt } from '#src/snapshot/own-scope-at.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { deleteEntityOfType, patchEntityOfType } from '../entities/of-type.js'
import { tagName } from '../entities/wanted-tag.js'
import type { Planners } from '../planner.js'
import { createCharacter } from './create-character.js'
import { refuseOwnNames, refuseSpellingGone, sightOf } from './own-names.js'
import { fromToday, patchRefused } from './own-tags.js'
import { characterRefused } from './own-writes.js'
import { infoAppended, infoEdited } from './write-info.js'

/**
 * The Postać of a name that the caller may write. The 403 comes before the 404, so that a refusal does not
 * reveal which names exist (A 4.6.1).
 */
const findWritable = (
  snapshot: Snapshot,
  caller: Caller,
  name: string,
): Either<RefusalOf<'Forbidden' | 'CharacterNotFound'>, Entity> => {
  const refusal = characterRefused(ownScopeAt(snapshot, caller), name)
  return refusal === null ? entityOfCharacter(snapshot, name) : left(refusal)
}

type Patched = Either<
  RefusalOf<'Forbidden' | 'AmbiguousName' | 'TagUnknown' | 'ValueRefused' | 'BodyInvalid' | 'NameTaken'>,
  ChangeSet<UpdateAnswer>
>

/** Applies a rule to the Postać that a caller may write. */
const ofCharacter = <A, R extends Refusal>(
  snapshot: Snapshot,
  { path, caller }: { readonly path: { readonly name: string }; readonly caller: Caller },
  rule: (character: Entity) => Either<R, ChangeSet<A>>,
): Either<R | RefusalOf<'Forbidden' | 'CharacterNotFound'>, ChangeSet<A>> => {
  const character = findWritable(snapshot, caller, path.name)
  return isLeft(character) ? character : rule(character.right)
}

/**
 * Refuses changes of names to a caller limited to their own: to take a name in use, or to give up one in use.
 */
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

/** Planners of the writes of Postacie (A 4.6). Each checks the owner on the snapshot that it plans on. */
export const characterPlanners: Planners<typeof charactersWriteRoutes> = {
  'characters.create': (snapshot, { body: { name, tags = {} }, caller }) =>
    createCharacter(snapshot, ownScopeAt(snapshot, caller), { name, tags }, sightOf(caller)),
  'characters.update': (snapshot, asked) =>
    ofCharacter(snapshot, asked, (character): Patched => {
      const { body, caller } = asked
      const [scope, { day }] = [ownScopeAt(snapshot, caller), snapshot]
      const refusal = patchRefused(scope, body, day)
      if (refusal !== null) return left(refusal)
      const taken = namesRefused(snapshot, caller, character, body)
      return taken === null
        ? patchEntityOfType(snapshot, character, fromToday(scope, character, body, day))
        : left(taken)
    }),
  'characters.delete': (snapshot, asked) =>
    ofCharacter(snapshot, asked, character => {
      const since = ownScopeAt(snapshot, asked.caller) === null ? null : snapshot.day
      return deleteEntityOfType(snapshot, character, since)
    }),
  'characters.info.add': (snapshot, asked) =>
    ofCharacter(snapshot, asked, character =>
      infoAppended(snapshot, character, asked.caller.view, asked.body.text),
    ),
  'characters.info.replace': (snapshot, asked) =>
    ofCharacter(snapshot, asked, character => infoEdited(snapshot, character, asked.caller.view, asked.body)),
  'characters.info.remove': (snapshot, asked) =>
    ofCharacter(snapshot, asked, character =>
      infoEdited(snapshot, character, asked.caller.view, { match: asked.body.match, text: null }),
    ),
}
