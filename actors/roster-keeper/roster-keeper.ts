import { absurd } from 'fp-ts/lib/function.js'
import type { FetchTrouble } from '#protocol/outbound/fetch-trouble.js'
import type { OnlinePlayer, PlayerKey } from '#protocol/people/online-player.js'
import { findPlayers, playerKeyText } from '#src/domain/people/players/online-roster.js'
import {
  type Actor,
  after,
  cancel,
  type KernelEffect,
  type Perform,
  ready,
  reply,
  type Step,
  stay,
} from '#src/kernel/actor/actor.js'
import type { ReplyTo } from '#src/kernel/actor/ref.js'
import type { OnlineAnswer } from '#src/ports/roster.js'
import { type AskPlayer, type BudgetAsked, type RosterFetched, RosterKeeperMessage } from './messages.js'
import { addMisses, hasMiss, type RosterMisses } from './misses.js'

/**
 * The roster keeper owns the question who is online in the world, and the misses that are remembered. At most
 * one fetch runs, beside the mailbox, and everybody who asks meanwhile shares it. Each fetch is taken from the
 * budget of the hour and on disk before it starts, so a restart gives none back; the misses are lost.
 */

interface Waiting {
  readonly sought: PlayerKey
  readonly replyTo: ReplyTo<OnlineAnswer>
}

/** A fetch that is being prepared or runs. Its id distinguishes its outcome from that of an earlier one. */
export interface Flight {
  readonly id: string
  readonly isTaken: boolean
  readonly waiting: ReadonlyArray<Waiting>
}

export interface State {
  readonly flight: Flight | null
  readonly misses: RosterMisses
}

/** How a fetch ended: the number of its rows, or why it has none. */
export type RosterFetchEnd =
  | { readonly result: 'ok'; readonly rows: number }
  | { readonly result: FetchTrouble }

export type Effect =
  | { readonly _tag: 'TakeFetch'; readonly flight: string }
  | { readonly _tag: 'Launch'; readonly flight: string }
  | { readonly _tag: 'Tell'; readonly told: RosterFetchEnd }

export interface RosterKeeperPorts {
  /** Takes a fetch from the budget of the hour, durably, if one is left. */
  readonly takeFetch: () => BudgetAsked['outcome']
  /** Starts a fetch and returns; its end comes as `Fetched`. The signal cancels it. */
  readonly launch: (flight: string, signal: AbortSignal) => void
  /** Called at every end of a fetch, for metric and log. */
  readonly fetched: (told: RosterFetchEnd) => void
}

export interface RosterKeeperSetup {
  /** How long a miss is remembered; 0: not at all. */
  readonly missTtlMs: number
}

type Message = RosterKeeperMessage
type Turn = Step<State, Effect, Message>

/** A fetch that has not reported its end by then is abandoned; its own limit is shorter. */
export const rosterOverdueMs = 6_000
/** The most askers that may wait for one fetch. */
export const rosterWaitersMax = 1_024

const away: OnlineAnswer = { _tag: 'Away' }

const onAsk = (
  { missTtlMs }: RosterKeeperSetup,
  state: State,
  { sought, replyTo }: AskPlayer,
  nowMs: number,
  id: string,
): Turn => {
  if (hasMiss(state.misses, playerKeyText(sought), missTtlMs, nowMs))
    return [state, [reply(replyTo, { _tag: 'Absent', isRemembered: true })]]
  const { flight } = state
  const one = { sought, replyTo }
  if (flight === null)
    return [{ ...state, flight: { id, isTaken: false, waiting: [one] } }, [{ _tag: 'TakeFetch', flight: id }]]
  if (flight.waiting.length >= rosterWaitersMax) return [state, [reply(replyTo, away)]]
  return stay({ ...state, flight: { ...flight, waiting: [...flight.waiting, one] } })
}

/** Answers everybody who waits, and ends the flight. */
const endFlight = (
  state: State,
  answerTo: (sought: PlayerKey) => OnlineAnswer,
): readonly [State, ReadonlyArray<KernelEffect<Message>>] => [
  { ...state, flight: null },
  (state.flight?.waiting ?? []).map(one => reply(one.replyTo, answerTo(one.sought))),
]

const onBudgetAsked = (state: State, { flight: id, outcome }: BudgetAsked): Turn => {
  const { flight } = state
  if (flight?.id !== id || flight.isTaken) return stay(state)
  if (outcome._tag !== 'Taken') return endFlight(state, () => outcome)
  return [
    { ...state, flight: { ...flight, isTaken: true } },
    [{ _tag: 'Launch', flight: id }, after('overdue', rosterOverdueMs, { _tag: 'Overdue', flight: id })],
  ]
}

const answerFrom =
  (found: ReadonlyMap<string, OnlinePlayer>) =>
  (sought: PlayerKey): OnlineAnswer => {
    const player = found.get(playerKeyText(sought))
    return player === undefined ? { _tag: 'Absent', isRemembered: false } : { _tag: 'Online', player }
  }

const onFetched = (
  { missTtlMs }: RosterKeeperSetup,
  state: State,
  { flight: id, outcome }: RosterFetched,
  nowMs: number,
): Turn => {
  const told: RosterFetchEnd =
    outcome._tag === 'Failed' ? { result: outcome.why } : { result: 'ok', rows: outcome.players.length }
  // An earlier fetch, or one of the previous incarnation, may still end later.
  if (state.flight?.id !== id) return [state, [{ _tag: 'Tell', told }]]
  const sought = state.flight.waiting.map(one => one.sought)
  const found = outcome._tag === 'Failed' ? null : findPlayers(outcome.players, sought)
  const [ended, answers] = endFlight(state, found === null ? () => away : answerFrom(found))
  const missed = found === null ? [] : sought.map(playerKeyText).filter(text => !found.has(text))
  return [
    { ...ended, misses: addMisses(state.misses, missed, missTtlMs, nowMs) },
    [cancel('overdue'), ...answers, { _tag: 'Tell', told }],
  ]
}

const perform =
  (ports: RosterKeeperPorts): Perform<Effect, Message> =>
  (effect, signal) => {
    if (signal.aborted) return Promise.resolve([])
    switch (effect._tag) {
      case 'TakeFetch':
        return Promise.resolve([{ _tag: 'BudgetAsked', flight: effect.flight, outcome: ports.takeFetch() }])
      case 'Launch':
        ports.launch(effect.flight, signal)
        return Promise.resolve([])
      case 'Tell':
        ports.fetched(effect.told)
        return Promise.resolve([])
      default:
        return absurd(effect)
    }
  }

export const rosterKeeper = (setup: RosterKeeperSetup): Actor<State, Message, Effect, RosterKeeperPorts> => ({
  name: 'roster-keeper',
  codec: RosterKeeperMessage,
  mailboxMax: 1_024,
  initial: () => [{ flight: null, misses: new Map() }, [ready]],
  receive: (state, message, { monotonicMs, id }) => {
    switch (message._tag) {
      case 'Ask':
        return onAsk(setup, state, message, monotonicMs, id)
      case 'BudgetAsked':
        return onBudgetAsked(state, message)
      case 'Fetched':
        return onFetched(setup, state, message, monotonicMs)
      case 'Overdue':
        return state.flight?.id === message.flight ? endFlight(state, () => away) : stay(state)
      default:
        return absurd(message)
    }
  },
  perform,
})
