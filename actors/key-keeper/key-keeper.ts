import { left } from 'fp-ts/lib/Either.js'
import { absurd } from 'fp-ts/lib/function.js'
import type { FetchTrouble } from '#protocol/outbound.js'
import { keyOfDocument, keysOfSet } from '#src/domain/identity/key-documents.js'
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
import type { KeySource, SignInKey } from '#src/ports/identity.js'
import { type AskKeys, KeyKeeperMessage, type KeysAnswer, type KeysFetched } from './messages.js'
import {
  addWaiting,
  answerFromCache,
  decideAsk,
  emptyShelf,
  failFlight,
  fillShelf,
  launchFlight,
  markVerified,
  type Shelf,
} from './shelf.js'

/**
 * The key keeper owns the public keys that sign-in is verified with: the game's, and the chat issuer's set.
 * At most one fetch for each source runs, beside the mailbox; an ask for a known key that is fresh never
 * waits for it. After a restart it fetches again: nothing is on disk.
 */

export type State = { readonly [S in KeySource]: Shelf }

/** How a fetch ended: with the usable keys of its document, maybe none, or with a failure. */
export type FetchEnd =
  | { readonly result: 'ok'; readonly keys: ReadonlyArray<SignInKey> }
  | { readonly result: FetchTrouble }

export type Effect =
  | { readonly _tag: 'Launch'; readonly source: KeySource; readonly flight: string }
  | { readonly _tag: 'Tell'; readonly source: KeySource; readonly told: FetchEnd }

export interface KeyKeeperPorts {
  /** Starts a fetch and returns; its end comes as `KeysFetched`. The signal cancels it. */
  readonly launch: (source: KeySource, flight: string, signal: AbortSignal) => void
  /** Called at every end of a fetch, for metric and log. */
  readonly fetched: (source: KeySource, told: FetchEnd) => void
}

/** The age at which the keys of a source are fetched again; null: no URL is configured. */
export type KeyKeeperSetup = { readonly [S in KeySource]: { readonly ttlMs: number } | null }

type Message = KeyKeeperMessage
type Turn = Step<State, Effect, Message>
type Effects = ReadonlyArray<Effect | KernelEffect<Message>>

/** A fetch that has not reported its end by then is abandoned; its own limit is shorter. */
export const overdueMs = 6_000

const unset: KeysAnswer = left({ _tag: 'KeysAway', why: 'unset' })

const onAsk = (
  setup: KeyKeeperSetup,
  state: State,
  message: AskKeys,
  nowMs: number,
  flight: string,
): Turn => {
  const { source, kid, replyTo } = message
  const configured = setup[source]
  if (configured === null) return [state, [reply(replyTo, unset)]]
  const shelf = state[source]
  const verdict = decideAsk(shelf, kid, configured.ttlMs, nowMs)
  switch (verdict._tag) {
    case 'Answer':
      return [state, [reply(replyTo, verdict.answer)]]
    case 'Wait':
      return stay({ ...state, [source]: addWaiting(shelf, { kid, replyTo }) })
    case 'Launch':
      return [
        { ...state, [source]: launchFlight(shelf, flight, { kid, replyTo }, configured.ttlMs, nowMs) },
        [{ _tag: 'Launch', source, flight }, after(source, overdueMs, { _tag: 'Overdue', source, flight })],
      ]
    default:
      return absurd(verdict)
  }
}

/** Ends the fetch of a source: its waiting askers get an answer from what is cached now. */
const endFlight = (
  setup: KeyKeeperSetup,
  state: State,
  source: KeySource,
  next: Shelf,
  nowMs: number,
): readonly [State, Effects] => {
  const ttlMs = setup[source]?.ttlMs ?? 0
  const waiting = state[source].flight?.waiting ?? []
  const answers = waiting.map(one => reply(one.replyTo, answerFromCache(next, one.kid, ttlMs, nowMs)))
  return [{ ...state, [source]: next }, [cancel(source), ...answers]]
}

const keysOf = (source: KeySource, text: string): ReadonlyArray<SignInKey> | null => {
  if (source === 'jwks') return keysOfSet(text)
  const key = keyOfDocument(text)
  return key === null ? null : [key]
}

const onFetched = (setup: KeyKeeperSetup, state: State, message: KeysFetched, nowMs: number): Turn => {
  const { source, flight, outcome } = message
  const keys = outcome._tag === 'Text' ? keysOf(source, outcome.text) : null
  const end: FetchEnd =
    keys === null ? { result: outcome._tag === 'Failed' ? outcome.why : 'malformed' } : { result: 'ok', keys }
  const told: Effect = { _tag: 'Tell', source, told: end }
  // An earlier fetch, or one of the previous incarnation, may still end later.
  if (state[source].flight?.id !== flight) return [state, [told]]
  const shelf = state[source]
  const ttlMs = setup[source]?.ttlMs ?? 0
  const next = keys === null ? failFlight(shelf, nowMs) : fillShelf(shelf, keys, ttlMs, nowMs)
  const [ended, effects] = endFlight(setup, state, source, next, nowMs)
  return [ended, [...effects, told]]
}

const onOverdue = (
  setup: KeyKeeperSetup,
  state: State,
  source: KeySource,
  flight: string,
  nowMs: number,
): Turn =>
  state[source].flight?.id === flight
    ? endFlight(setup, state, source, failFlight(state[source], nowMs), nowMs)
    : stay(state)

const perform =
  (ports: KeyKeeperPorts): Perform<Effect, Message> =>
  (effect, signal) => {
    if (!signal.aborted) {
      if (effect._tag === 'Launch') ports.launch(effect.source, effect.flight, signal)
      else ports.fetched(effect.source, effect.told)
    }
    return Promise.resolve([])
  }

export const keyKeeper = (setup: KeyKeeperSetup): Actor<State, Message, Effect, KeyKeeperPorts> => ({
  name: 'key-keeper',
  codec: KeyKeeperMessage,
  mailboxMax: 1_024,
  initial: () => [{ game: emptyShelf, jwks: emptyShelf }, [ready]],
  receive: (state, message, { monotonicMs, id }) => {
    switch (message._tag) {
      case 'Ask':
        return onAsk(setup, state, message, monotonicMs, id)
      case 'Fetched':
        return onFetched(setup, state, message, monotonicMs)
      case 'Overdue':
        return onOverdue(setup, state, message.source, message.flight, monotonicMs)
      case 'Verified': {
        const { source, kid } = message
        return stay({ ...state, [source]: markVerified(state[source], kid, monotonicMs) })
      }
      default:
        return absurd(message)
    }
  },
  perform,
})
