import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { FetchTrouble } from '#protocol/host/outbound.js'
import { OnlinePlayer, PlayerKey } from '#protocol/lore/people.js'
import { findPlayers, playerKeyText } from '#src/domain/people/players.js'
import {
  type Actor,
  after,
  beside,
  cancel,
  type KernelEffect,
  type Perform,
  ready,
  reply,
  type Step,
  stay,
} from '#src/kernel/actor/actor.js'
import { replyTo } from '#src/kernel/actor/ref.js'
import type { OnlineAnswer } from '#src/ports/identity.js'

const TakeOutcome = t.union([
  t.type({ _tag: t.literal('Taken'), fetch: t.number }),
  t.type({
    _tag: t.literal('Exhausted'),
    of: t.keyof({ host: null, person: null }),
    retryAfterMs: t.number,
  }),
  t.type({ _tag: t.literal('DiskRefused'), code: t.string }),
])

/** To self: the budget of the hour has answered. */
const BudgetAsked = t.type({ _tag: t.literal('BudgetAsked'), flight: t.string, outcome: TakeOutcome })
export type BudgetAsked = t.TypeOf<typeof BudgetAsked>

const FetchOutcome = t.union([
  t.type({ _tag: t.literal('Read'), players: t.readonlyArray(OnlinePlayer) }),
  t.type({ _tag: t.literal('Failed'), why: FetchTrouble }),
])

/** From a fetch: it has ended. */
const RosterFetched = t.type({ _tag: t.literal('Fetched'), flight: t.string, outcome: FetchOutcome })
export type RosterFetched = t.TypeOf<typeof RosterFetched>

/** Asks whether a player is online who is not in the ledger. `person` is who asks; null for a bot. */
const AskPlayer = t.type({
  _tag: t.literal('Ask'),
  sought: PlayerKey,
  person: t.union([t.string, t.null]),
  replyTo: replyTo<OnlineAnswer>(),
})
type AskPlayer = t.TypeOf<typeof AskPlayer>

/** To self: a fetch has not ended in its time. */
const Overdue = t.type({ _tag: t.literal('Overdue'), flight: t.string })

export const RosterKeeperMessage = t.union(
  [AskPlayer, BudgetAsked, RosterFetched, Overdue],
  'RosterKeeperMessage',
)
export type RosterKeeperMessage = t.TypeOf<typeof RosterKeeperMessage>

export interface RosterState {
  readonly flight: Flight | null
  readonly misses: RosterMisses
  /** When the last fetch failed, if none was good since. */
  readonly failedAtMs: number | null
}

export interface RosterKeeperPorts {
  /** Takes a fetch from the budget of the hour and the share of a person, durably, if one is left. */
  readonly takeFetch: (person: string | null) => BudgetAsked['outcome']
  /** Gives back a fetch that failed. Where the disk refuses, it counts for its hour. */
  readonly giveBack: (fetch: number) => void
  /** Fetches the roster. Never rejects; the signal cancels it. */
  readonly fetchRoster: (signal: AbortSignal) => Promise<RosterFetched['outcome']>
  /** Called at every end of a fetch, for metric and log. */
  readonly fetched: (told: RosterFetchEnd) => void
}

export interface RosterOptions {
  /** How long a miss is remembered; 0: not at all. */
  readonly missTtlMs: number
}

/** A fetch that has not reported its end by then is abandoned; its own limit is shorter. */
export const rosterOverdueMs = 6_000
/** How long no fetch is made after one that failed. */
export const rosterPauseMs = 30_000
/** The most askers that may wait for one fetch. */
export const rosterWaitersMax = 1_024

export const rosterKeeper = (
  setup: RosterOptions,
): Actor<RosterState, Message, Effect, RosterKeeperPorts> => ({
  name: 'roster-keeper',
  codec: RosterKeeperMessage,
  mailboxMax: 1_024,
  initial: () => [{ flight: null, misses: new Map(), failedAtMs: null }, [ready]],
  receive: (state, message, { monotonicMs, id }) => {
    switch (message._tag) {
      case 'Ask':
        return onAsk(setup, state, message, monotonicMs, id)
      case 'BudgetAsked':
        return onBudgetAsked(state, message)
      case 'Fetched':
        return onFetched(setup, state, message, monotonicMs)
      case 'Overdue':
        return state.flight?.id === message.flight ? failFlight(state, monotonicMs) : stay(state)
      default:
        return absurd(message)
    }
  },
  perform,
})

/** The most misses that are remembered; the oldest are forgotten first. */
export const rosterMissesMax = 10_000

/**
 * The roster keeper owns the question who is online in the world, and the misses that are remembered. At most
 * one fetch runs, beside the mailbox, and everybody who asks meanwhile shares it. Each fetch is taken from the
 * budget of the hour, and from the share of the first who waits for it, and is on disk before it starts, so a
 * restart gives none back; the misses are lost. One that fails is given back, and the next waits for a pause, so that
 * a roster that is down is not asked for every question.
 */

type Waiting = Pick<AskPlayer, 'sought' | 'person' | 'replyTo'>

/** A fetch that is being prepared or runs. Its id distinguishes its outcome from that of an earlier one. */
interface Flight {
  readonly id: string
  /** The fetch as the budget knows it; null before it is taken. */
  readonly fetch: number | null
  readonly waiting: ReadonlyArray<Waiting>
}

/** How a fetch ended: the number of its rows, or why it has none. */
type RosterFetchEnd = { readonly result: 'ok'; readonly rows: number } | { readonly result: FetchTrouble }

type Effect =
  | { readonly _tag: 'TakeFetch'; readonly flight: string; readonly person: string | null }
  | { readonly _tag: 'GiveBack'; readonly fetch: number }
  | { readonly _tag: 'Fetch'; readonly flight: string }
  | { readonly _tag: 'Tell'; readonly told: RosterFetchEnd }

type Message = RosterKeeperMessage
type Turn = Step<RosterState, Effect, Message>

const away: OnlineAnswer = { _tag: 'Away' }

/** Asks the budget for a fetch of the first of those who wait. */
const takeFetch = (state: RosterState, id: string, waiting: ReadonlyArray<Waiting>): Turn => [
  { ...state, flight: { id, fetch: null, waiting } },
  [{ _tag: 'TakeFetch', flight: id, person: waiting[0]?.person ?? null }],
]

const onAsk = (
  { missTtlMs }: RosterOptions,
  state: RosterState,
  { sought, person, replyTo }: AskPlayer,
  nowMs: number,
  id: string,
): Turn => {
  if (hasMiss(state.misses, playerKeyText(sought), missTtlMs, nowMs))
    return [state, [reply(replyTo, { _tag: 'Absent', isRemembered: true })]]
  const { flight, failedAtMs } = state
  const one = { sought, person, replyTo }
  if (flight === null) {
    if (failedAtMs !== null && nowMs - failedAtMs < rosterPauseMs) return [state, [reply(replyTo, away)]]
    return takeFetch(state, id, [one])
  }
  if (flight.waiting.length >= rosterWaitersMax) return [state, [reply(replyTo, away)]]
  return stay({ ...state, flight: { ...flight, waiting: [...flight.waiting, one] } })
}

type Ended = readonly [RosterState, ReadonlyArray<KernelEffect<Message>>]

/** Answers everybody who waits, and ends the flight. */
const endFlight = (state: RosterState, answerTo: (sought: PlayerKey) => OnlineAnswer): Ended => [
  { ...state, flight: null },
  (state.flight?.waiting ?? []).map(one => reply(one.replyTo, answerTo(one.sought))),
]

/** Ends a flight that failed, and gives its fetch back. */
const failFlight = (state: RosterState, nowMs: number): Turn => {
  const [ended, answers] = endFlight(state, () => away)
  const fetch = state.flight?.fetch ?? null
  return [
    { ...ended, failedAtMs: nowMs },
    [...answers, ...(fetch === null ? [] : [{ _tag: 'GiveBack', fetch } as const])],
  ]
}

/** Refuses the person whose share is used up. The next who waits has a share of their own. */
const dropPayer = (state: RosterState, { id, waiting }: Flight, answer: OnlineAnswer): Turn => {
  const isPayer = ({ person }: Waiting): boolean => person === waiting[0]?.person
  const others = waiting.filter(one => !isPayer(one))
  const refusals = waiting.filter(isPayer).map(one => reply(one.replyTo, answer))
  if (others.length === 0) return [{ ...state, flight: null }, refusals]
  const [next, effects] = takeFetch(state, id, others)
  return [next, [...refusals, ...effects]]
}

const onBudgetAsked = (state: RosterState, { flight: id, outcome }: BudgetAsked): Turn => {
  const { flight } = state
  if (flight?.id !== id || flight.fetch !== null) return stay(state)
  if (outcome._tag === 'Exhausted' && outcome.of === 'person') return dropPayer(state, flight, outcome)
  if (outcome._tag !== 'Taken') return endFlight(state, () => outcome)
  return [
    { ...state, flight: { ...flight, fetch: outcome.fetch } },
    [
      beside({ _tag: 'Fetch', flight: id }),
      after('overdue', rosterOverdueMs, { _tag: 'Overdue', flight: id }),
    ],
  ]
}

const answerFrom =
  (found: ReadonlyMap<string, OnlinePlayer>) =>
  (sought: PlayerKey): OnlineAnswer => {
    const player = found.get(playerKeyText(sought))
    return player === undefined ? { _tag: 'Absent', isRemembered: false } : { _tag: 'Online', player }
  }

const onFetched = (
  { missTtlMs }: RosterOptions,
  state: RosterState,
  { flight: id, outcome }: RosterFetched,
  nowMs: number,
): Turn => {
  const told: RosterFetchEnd =
    outcome._tag === 'Failed' ? { result: outcome.why } : { result: 'ok', rows: outcome.players.length }
  // An earlier fetch may still end later.
  if (state.flight?.id !== id) return [state, [{ _tag: 'Tell', told }]]
  if (outcome._tag === 'Failed') {
    const [failed, effects] = failFlight(state, nowMs)
    return [failed, [cancel('overdue'), ...effects, { _tag: 'Tell', told }]]
  }
  const sought = state.flight.waiting.map(one => one.sought)
  const found = findPlayers(outcome.players, sought)
  const [ended, answers] = endFlight(state, answerFrom(found))
  const missed = sought.map(playerKeyText).filter(text => !found.has(text))
  return [
    { ...ended, failedAtMs: null, misses: addMisses(state.misses, missed, missTtlMs, nowMs) },
    [cancel('overdue'), ...answers, { _tag: 'Tell', told }],
  ]
}

const perform =
  (ports: RosterKeeperPorts): Perform<Effect, Message> =>
  async (effect, signal) => {
    if (signal.aborted) return []
    switch (effect._tag) {
      case 'TakeFetch':
        return [{ _tag: 'BudgetAsked', flight: effect.flight, outcome: ports.takeFetch(effect.person) }]
      case 'GiveBack':
        ports.giveBack(effect.fetch)
        return []
      case 'Fetch':
        return [{ _tag: 'Fetched', flight: effect.flight, outcome: await ports.fetchRoster(signal) }]
      case 'Tell':
        ports.fetched(effect.told)
        return []
      default:
        return absurd(effect)
    }
  }

/** Players whom a fetched roster did not have, by `playerKeyText`, with the monotonic time of the fetch in ms. */
type RosterMisses = ReadonlyMap<string, number>

const hasMiss = (misses: RosterMisses, text: string, ttlMs: number, nowMs: number): boolean => {
  const atMs = misses.get(text)
  return atMs !== undefined && nowMs - atMs < ttlMs
}

/** The misses that still count, and the new ones. */
const addMisses = (
  misses: RosterMisses,
  texts: ReadonlyArray<string>,
  ttlMs: number,
  nowMs: number,
): RosterMisses => {
  if (ttlMs === 0) return misses
  const next = new Map([...misses].filter(([, atMs]) => nowMs - atMs < ttlMs))
  for (const text of texts) {
    next.delete(text)
    next.set(text, nowMs)
  }
  for (const text of next.keys()) {
    if (next.size <= rosterMissesMax) break
    next.delete(text)
  }
  return next
}
