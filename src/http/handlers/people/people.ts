import { type Either, left, map, right } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { nameKey } from '#protocol/atoms.js'
import type { CharacterInfo } from '#protocol/characters.js'
import type { peopleRoutes } from '#protocol/people.js'
import { windowOf } from '#protocol/query.js'
import type { RefusalOf } from '#protocol/refusal.js'
import type { View } from '#src/domain/callers/caller.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { renderPageInSlices } from '#src/domain/json/json-bytes.js'
import { fileFor } from '#src/domain/people/character-file.js'
import { type Character, characterOn, entityOfCharacter } from '#src/domain/people/characters.js'
import { channelCensus, channelPair, graczAnswer, rosterItem } from '#src/domain/people/person.js'
import { type Contributor, personNamed } from '#src/domain/people/roster.js'
import type { CharacterFile } from '#src/domain/people/section-body.js'
import { characterAnswer } from '#src/domain/points/character-answer.js'
import { personNotFound, rosterAt } from '#src/http/handlers/cast.js'
import { resolveDay } from '#src/http/handlers/settings.js'
import { type Handlers, inSlices } from '#src/http/routing/handler.js'
import { findingsPageInSlices } from '#src/snapshot/all-findings.js'
import { charactersAt } from '#src/snapshot/own-scope-at.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/** The person whom a path names, listed or not. */
const contributorNamed = (
  snapshot: Snapshot,
  name: string,
): Either<RefusalOf<'PersonNotFound'>, Contributor> => {
  const person = personNamed(snapshot.people, name)
  const found = person === null ? undefined : rosterAt(snapshot).of.get(person)
  return found === undefined ? left(personNotFound(snapshot, name)) : right(found)
}

const fileOf = (snapshot: Snapshot, entity: Entity): CharacterFile | null =>
  snapshot.characterFiles.get(entity.key) ?? null

const charactersOfOwner = (snapshot: Snapshot, one: Contributor): ReadonlyArray<Character> =>
  charactersAt(snapshot).byOwner.get(nameKey(one.person.name)) ?? []

const infoOf = (snapshot: Snapshot, entity: Entity, view: View): CharacterInfo => {
  const file = fileFor(view, fileOf(snapshot, entity))
  const items = file?.additionalInfo ?? []
  return { character: entity.name, file: file?.path ?? null, count: items.length, items }
}

/** People and characters (A 4.6): reads over the snapshot of the request. */
export const peopleHandlers: Handlers<typeof peopleRoutes> = {
  'people.list': ({ snapshot, query, caller }) => {
    const page = renderPageInSlices(rosterAt(snapshot).listed, windowOf(query), one =>
      rosterItem(one, caller.view),
    )
    return right({ body: inSlices(page) })
  },
  'people.channels.list': ({ snapshot }) =>
    right({ body: channelCensus(rosterAt(snapshot), snapshot.people) }),
  'people.get': ({ snapshot, path, caller }) =>
    pipe(
      contributorNamed(snapshot, path.name),
      map(one => ({ body: graczAnswer(one, charactersOfOwner(snapshot, one), caller.view) })),
    ),
  'people.characters.list': ({ snapshot, path, query, caller }) =>
    pipe(
      contributorNamed(snapshot, path.name),
      map(one => {
        const { status } = query
        const shown = charactersOfOwner(snapshot, one).filter(character =>
          status === undefined ? character.status !== 'Usunięty' : character.status === status,
        )
        const page = renderPageInSlices(shown, windowOf(query), character =>
          characterAnswer(character, fileOf(snapshot, character.entity), snapshot.day, caller.view),
        )
        return { body: inSlices(page) }
      }),
    ),
  'people.chatChannel.get': ({ snapshot, path }) =>
    pipe(
      contributorNamed(snapshot, path.name),
      map(one => ({ body: channelPair(one) })),
    ),
  'characters.get': ({ snapshot, path, query, caller }) =>
    pipe(
      entityOfCharacter(snapshot, path.name),
      map(entity => {
        const day = resolveDay(snapshot, query.activeOn)
        const character = characterOn(entity, snapshot.people, day)
        return { body: characterAnswer(character, fileOf(snapshot, entity), day, caller.view) }
      }),
    ),
  'characters.info.list': ({ snapshot, path, caller }) =>
    pipe(
      entityOfCharacter(snapshot, path.name),
      map(entity => ({ body: infoOf(snapshot, entity, caller.view) })),
    ),
  'contributors.integrity.list': ({ snapshot, query, caller }) =>
    right({ body: inSlices(findingsPageInSlices('contributors', snapshot, caller.view, windowOf(query))) }),
}
