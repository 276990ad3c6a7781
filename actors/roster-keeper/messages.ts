import * as t from 'io-ts'
import { FetchTrouble } from '#protocol/outbound.js'
import { OnlinePlayer, PlayerKey } from '#protocol/people.js'
import { replyTo } from '#src/kernel/actor/ref.js'
import type { OnlineAnswer } from '#src/ports/identity.js'

const FetchOutcome = t.union([
  t.type({ _tag: t.literal('Read'), players: t.readonlyArray(OnlinePlayer) }),
  t.type({ _tag: t.literal('Failed'), why: FetchTrouble }),
])

const TakeOutcome = t.union([
  t.type({ _tag: t.literal('Taken'), fetch: t.number }),
  t.type({
    _tag: t.literal('Exhausted'),
    of: t.keyof({ host: null, person: null }),
    retryAfterMs: t.number,
  }),
  t.type({ _tag: t.literal('DiskRefused'), code: t.string }),
])

/** Asks whether a player is online who is not in the ledger. `person` is who asks; null for a bot. */
const AskPlayer = t.type({
  _tag: t.literal('Ask'),
  sought: PlayerKey,
  person: t.union([t.string, t.null]),
  replyTo: replyTo<OnlineAnswer>(),
})
/** To self: the budget of the hour has answered. */
const BudgetAsked = t.type({ _tag: t.literal('BudgetAsked'), flight: t.string, outcome: TakeOutcome })
/** From a fetch: it has ended. */
const RosterFetched = t.type({ _tag: t.literal('Fetched'), flight: t.string, outcome: FetchOutcome })
/** To self: a fetch has not ended in its time. */
const Overdue = t.type({ _tag: t.literal('Overdue'), flight: t.string })

export const RosterKeeperMessage = t.union(
  [AskPlayer, BudgetAsked, RosterFetched, Overdue],
  'RosterKeeperMessage',
)
export type RosterKeeperMessage = t.TypeOf<typeof RosterKeeperMessage>
export type AskPlayer = t.TypeOf<typeof AskPlayer>
export type BudgetAsked = t.TypeOf<typeof BudgetAsked>
export type RosterFetched = t.TypeOf<typeof RosterFetched>
