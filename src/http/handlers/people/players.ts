import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { absurd } from 'fp-ts/lib/function.js'
import { nameKey } from '#protocol/atoms.js'
import type { PlayerKey, playerRoutes } from '#protocol/people.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { findRecordedPlayer, onlinePlayer } from '#src/domain/people/players.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { AskRoster, OnlineAnswer } from '#src/ports/identity.js'

/** How a question for a player was answered; the labels of its metric. */
export type ResolveResult =
  | 'recorded'
  | 'online'
  | 'absent'
  | 'remembered'
  | 'exhausted'
  | 'disk_refused'
  | 'away'
  | 'disabled'

export interface PlayersDeps {
  readonly players: {
    /** Null where no roster is configured. */
    readonly askRoster: AskRoster | null
    /** Called for every answered question, for the metric. */
    readonly resolved: (result: ResolveResult) => void
  }
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

/** Players by nick or game id (A 4.6.5): the committed ledger first, then the roster of the world. */
export const playersHandlers: Handlers<typeof playerRoutes, PlayersDeps> = {
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
