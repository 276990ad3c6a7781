import { type Either, isLeft, left, map, right } from 'fp-ts/lib/Either.js'
import { absurd, pipe } from 'fp-ts/lib/function.js'
import { nameKey } from '#protocol/atoms.js'
import type { CharacterInfo } from '#protocol/lore/characters.js'
import type { PlayerKey, peopleRoutes, playerRoutes, rosterRoutes } from '#protocol/lore/people.js'
import { windowOf } from '#protocol/query.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Reader, View } from '#src/domain/callers/caller.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { renderPageInSlices } from '#src/domain/json/json-bytes.js'
import { fileFor } from '#src/domain/people/character-file.js'
import { type Character, characterOn, entityOfCharacter } from '#src/domain/people/characters.js'
import { channelCensus, channelPair, graczAnswer, rosterItem } from '#src/domain/people/person.js'
import { findRecordedPlayer, onlinePlayer } from '#src/domain/people/players.js'
import { type Contributor, personNamed, rosterStoreProperty } from '#src/domain/people/roster.js'
import type { CharacterFile } from '#src/domain/people/section-body.js'
import { characterAnswer } from '#src/domain/points/character-answer.js'
import { type Handlers, inSlices } from '#src/http/routing/handler.js'
import type { Host } from '#src/ports/host.js'
import type { OnlineAnswer, ResolveResult } from '#src/ports/identity.js'
import { findingsPageInSlices } from '#src/snapshot/all-findings.js'
import { charactersAt, ownScopeAt } from '#src/snapshot/own-scope-at.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { personNotFound, rosterAt } from '../answers/cast.js'
import { resolveDay } from './admin.js'

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

/** Players by nick or game id (A 4.6.5): the committed ledger first, then the roster of the world. */
export const playersHandlers: Handlers<typeof playerRoutes, Pick<Host, 'players'>> = {
  'players.resolve.get': async ({ query, snapshot, caller, node: { players } }) => {
    const sought = readPlayerKey(query)
    if (isLeft(sought)) return sought
    const recorded = findRecordedPlayer(snapshot.players, sought.right)
    if (recorded !== null) {
      players.resolved('recorded')
      return right({ body: recorded })
    }
    if (players.askRoster === null) {
      players.resolved('disabled')
      return left(disabled)
    }
    const answer = await players.askRoster(sought.right, caller.gracz ?? caller.gameId)
    if (answer._tag === 'Online') {
      players.resolved('online')
      return right({ body: onlinePlayer(snapshot.players, answer.player) })
    }
    const [result, refusal] = refuseUnfound(answer)
    players.resolved(result)
    return left(refusal)
  },
}

/** Writes of people (A 4.6.1): always refused, also as a dry run. */
export const rosterHandlers: Handlers<typeof rosterRoutes> = {
  'people.create': ({ snapshot, caller, body }) =>
    refuseReader(snapshot, caller, textOf(body.name) ?? '', textOf(body.tag)),
  'people.update': ({ snapshot, caller, path, body }) =>
    refuseReader(snapshot, caller, path.name, textOf(body.tag)),
  'people.delete': ({ snapshot, caller, path }) => refuseReader(snapshot, caller, path.name, null),
  'people.chatChannel.set': ({ snapshot, caller, path }) =>
    refuseReader(snapshot, caller, path.name, '@chat'),
}

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

const readPlayerKey = ({
  nick,
  gameid,
}: {
  readonly nick: string | undefined
  readonly gameid: string | undefined
}): Either<RefusalOf<'ParameterInvalid'>, PlayerKey> => {
  if (nick !== undefined && gameid !== undefined)
    return left(
      refuse('ParameterInvalid', 'Give nick or gameid, not both: they may mean two players.', {
        parameter: 'gameid',
      }),
    )
  if (nick !== undefined) return right({ by: 'nick', key: nameKey(nick) })
  if (gameid !== undefined) return right({ by: 'gameId', gameId: gameid.trim() })
  return left(
    refuse('ParameterInvalid', 'Give one of nick and gameid: ?nick=<nick> or ?gameid=<id>.', {
      parameter: 'nick',
    }),
  )
}

type RosterRefusal = RefusalOf<
  'PlayerNotFound' | 'resolve_fetch_budget_exhausted' | 'DiskRefused' | 'RosterUnavailable'
>
type Unfound = Exclude<OnlineAnswer, { readonly _tag: 'Online' }>

const refuseAbsent = (isRemembered: boolean): RosterRefusal =>
  isRemembered
    ? refuse('PlayerNotFound', 'The roster was asked lately and did not have the player. Ask again later.', {
        reason: 'recent_miss_cached',
      })
    : refuse('PlayerNotFound', 'The ledger of players does not have the player, who is not online either.', {
        reason: 'not_in_ledger_and_not_online',
      })

const refuseUnfound = (answer: Unfound): readonly [ResolveResult, RosterRefusal] => {
  switch (answer._tag) {
    case 'Absent':
      return [answer.isRemembered ? 'remembered' : 'absent', refuseAbsent(answer.isRemembered)]
    case 'Exhausted': {
      const retryAfterSeconds = Math.max(1, Math.ceil(answer.retryAfterMs / 1000))
      const spent =
        answer.of === 'person'
          ? 'You have used your share of the fetches of the roster in this hour.'
          : 'This host may not fetch the roster again in this hour.'
      const detail = `${spent} Try again in ${retryAfterSeconds} s.`
      return ['exhausted', refuse('resolve_fetch_budget_exhausted', detail, { retryAfterSeconds })]
    }
    case 'DiskRefused':
      return [
        'disk_refused',
        refuse(
          'DiskRefused',
          `The fetch of the roster could not be recorded (${answer.code}). Fix the disk of this host, then try again.`,
        ),
      ]
    case 'Away':
      return [
        'away',
        refuse(
          'RosterUnavailable',
          'The roster of the world could not be fetched. Try again later; the log of the host says why.',
        ),
      ]
    default:
      return absurd(answer)
  }
}

const disabled = refuse(
  'roster_disabled',
  'The ledger of players does not have the player, and this host has no roster to ask: ' +
    'integrations.game.roster_url is empty.',
)

type Refused = Either<RefusalOf<'Forbidden' | 'RosterStoreProperty'>, never>

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/**
 * 403 where the caller is limited to their own person and names another; 422 in all other cases (A 4.6.1).
 */
const refuseReader = (snapshot: Snapshot, caller: Reader, name: string, tag: string | null): Refused => {
  const scope = ownScopeAt(snapshot, caller)
  if (scope !== null && !scope.isSelf(name))
    return left(
      refuse('Forbidden', 'With your rights you may see only your own Gracz.', { required: 'player.write' }),
    )
  return left(rosterStoreProperty(personNamed(snapshot.people, name)?.name ?? name, tag))
}
