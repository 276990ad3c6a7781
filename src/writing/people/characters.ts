import { type Either, isLeft, left } from 'fp-ts/lib/Either.js'
import type { charactersWriteRoutes } from '#protocol/lore/characters.js'
import type { CreateAnswer, TagPatch, TagValues, UpdateAnswer } from '#protocol/lore/entity-writes.js'
import { bodyInvalid, type Refusal, type RefusalOf } from '#protocol/refusal.js'
import type { Caller } from '#src/domain/callers/caller.js'
import type { Entity } from '#src/domain/entities/entity.js'
import type { OwnScope } from '#src/domain/identity/readable.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import { nameTags, valueText } from '#src/domain/lore/rows/rows.js'
import { entityOfCharacter } from '#src/domain/people/characters.js'
import { ownScopeAt } from '#src/snapshot/own-scope-at.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Planners } from '../command.js'
import { createEntityOfType, deleteEntityOfType, patchEntityOfType } from '../entities/entity-writes.js'
import { tagName } from '../entities/tags.js'
import { nameText } from '../entities/taken.js'
import { infoAppended, infoEdited } from './info.js'
import {
  characterRefused,
  fromToday,
  newTagRefused,
  oneMoreExceeds,
  patchRefused,
  refuseOwnNames,
  refuseSpellingGone,
  type VisibleKinds,
  visibleKinds,
} from './own-lore.js'

/** Planners of the writes of Postacie (A 4.6). Each checks the owner on the snapshot that it plans on. */
export const characterPlanners: Planners<typeof charactersWriteRoutes> = {
  'characters.create': (snapshot, { body: { name, tags = {} }, caller }) =>
    createCharacter(snapshot, ownScopeAt(snapshot, caller), { name, tags }, visibleKinds(caller)),
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

/** Creates a Postać (A 4.6.7). The body must name its owner, a Gracz of the contributor store. */
export const createCharacter = (
  snapshot: Snapshot,
  scope: OwnScope | null,
  wanted: { readonly name: string; readonly tags: TagValues },
  visible: VisibleKinds,
): Either<CharacterRefusal, ChangeSet<CreateAnswer>> => {
  const values = Object.entries(wanted.tags).flatMap(([name, value]) =>
    listOf(value).map(one => [tagName(name), one] as const),
  )
  if (!values.some(([tag]) => tag === 'należy_do')) {
    const detail = '`tags.należy_do` must be the name of a Gracz.'
    return left(bodyInvalid(detail, { path: '$.tags.należy_do', expected: 'the name of a Gracz' }))
  }
  for (const [tag, value] of values) {
    const refusal = newTagRefused(scope, tag, value)
    if (refusal !== null) return left(refusal)
  }
  const excess = oneMoreExceeds(scope)
  if (excess !== null) return left(excess)
  const names = [
    nameText(wanted.name),
    ...values.flatMap(([tag, value]) => (nameTags.has(tag) ? [valueText(value)] : [])),
  ]
  const taken = scope === null ? null : refuseOwnNames(snapshot, visible, names, null)
  if (taken !== null) return left(taken)
  return createEntityOfType(snapshot, { ...wanted, type: 'Postać' })
}

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
  const [visible, value] = [visibleKinds(caller), valueText(patch.value)]
  const ends = patch.remove === true || (patch.to ?? null) !== null
  const gone = ends ? refuseSpellingGone(snapshot, visible, character, { tag, value }) : null
  if (gone !== null || patch.remove === true) return gone
  return refuseOwnNames(snapshot, visible, [value], character)
}

type CharacterRefusal = RefusalOf<
  'BodyInvalid' | 'BoundExceeded' | 'Forbidden' | 'TagUnknown' | 'ValueRefused' | 'NameTaken'
>

const listOf = (value: TagValues[string]): ReadonlyArray<string> =>
  typeof value === 'string' ? [value] : value
