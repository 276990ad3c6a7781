import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { FetchTrouble } from '#protocol/host/outbound.js'
import { keyOfDocument, keysOfSet } from '#src/domain/identity/credentials/key-documents.js'
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
import { type ReplyTo, replyTo } from '#src/kernel/actor/ref.js'
import type { KeySource, KeysAway, SignInKey } from '#src/ports/identity.js'

/** The keys with the `kid` that was asked for, maybe none; or why there are no keys at all. */
export type KeysAnswer = Either<KeysAway, ReadonlyArray<SignInKey>>

const Source = t.keyof({ game: null, jwks: null })

const Outcome = t.union([
  t.type({ _tag: t.literal('Text'), text: t.string }),
  t.type({ _tag: t.literal('Failed'), why: FetchTrouble }),
])

/** From a fetch: it has ended. */
const KeysFetched = t.type({ _tag: t.literal('Fetched'), source: Source, flight: t.string, outcome: Outcome })
export type KeysFetched = t.TypeOf<typeof KeysFetched>

/** Answers with the keys of a source: those with this `kid`, or all for null. */
const AskKeys = t.type({
  _tag: t.literal('Ask'),
  source: Source,
  kid: t.union([t.string, t.null]),
  replyTo: replyTo<KeysAnswer>(),
})
type AskKeys = t.TypeOf<typeof AskKeys>

/** To self: a fetch has not ended in its time. */
const Overdue = t.type({ _tag: t.literal('Overdue'), source: Source, flight: t.string })

/** A key of a source verified a token that named this `kid`. */
const KeyVerified = t.type({
  _tag: t.literal('Verified'),
  source: Source,
  kid: t.union([t.string, t.null]),
})

export const KeyKeeperMessage = t.union([AskKeys, KeysFetched, Overdue, KeyVerified], 'KeyKeeperMessage')
export type KeyKeeperMessage = t.TypeOf<typeof KeyKeeperMessage>

/**
 * The key keeper owns the public keys that sign-in is verified with: the game's, and the chat issuer's set.
 * At most one fetch for each source runs, beside the mailbox; an ask for a known key that is fresh never
 * waits for it. After a restart it fetches again: nothing is on disk.
 */

export type KeyState = { readonly [S in KeySource]: Shelf }

export interface KeyKeeperPorts {
  /** Fetches the keys of a source. Never rejects; the signal cancels it. */
  readonly fetchKeys: (source: KeySource, signal: AbortSignal) => Promise<KeysFetched['outcome']>
  /** Called at every end of a fetch, for metric and log. */
  readonly fetched: (source: KeySource, told: FetchEnd) => void
}

/** The age at which the keys of a source are fetched again; null: no URL is configured. */
export type KeyTtls = { readonly [S in KeySource]: { readonly ttlMs: number } | null }

/** A fetch that has not reported its end by then is abandoned; its own limit is shorter. */
export const overdueMs = 6_000

export const keyKeeper = (setup: KeyTtls): Actor<KeyState, Message, Effect, KeyKeeperPorts> => ({
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

/** Pause after a failed fetch, so that sign-ins do not flood a source that is down. */
export const retryMs = 10_000
/** At most one fetch for unknown `kid`s within this time (SECURITY 4.1). */
export const forcedMs = 60_000
/** How long keys are used beyond their age while their source is unreachable. */
export const staleMs = 86_400_000
/** The most askers that may wait for one fetch. */
export const waitersMax = 1_024

/** How a fetch ended: with the usable keys of its document, maybe none, or with a failure. */
type FetchEnd =
  | { readonly result: 'ok'; readonly keys: ReadonlyArray<SignInKey> }
  | { readonly result: FetchTrouble }

type Effect =
  | { readonly _tag: 'Fetch'; readonly source: KeySource; readonly flight: string }
  | { readonly _tag: 'Tell'; readonly source: KeySource; readonly told: FetchEnd }

type Message = KeyKeeperMessage
type Turn = Step<KeyState, Effect, Message>
type Effects = ReadonlyArray<Effect | KernelEffect<Message>>

const unset: KeysAnswer = left({ _tag: 'KeysAway', why: 'unset' })

const onAsk = (setup: KeyTtls, state: KeyState, message: AskKeys, nowMs: number, flight: string): Turn => {
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
        [
          beside({ _tag: 'Fetch', source, flight }),
          after(source, overdueMs, { _tag: 'Overdue', source, flight }),
        ],
      ]
    default:
      return absurd(verdict)
  }
}

/** Ends the fetch of a source: its waiting askers get an answer from what is cached now. */
const endFlight = (
  setup: KeyTtls,
  state: KeyState,
  source: KeySource,
  next: Shelf,
  nowMs: number,
): readonly [KeyState, Effects] => {
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

const onFetched = (setup: KeyTtls, state: KeyState, message: KeysFetched, nowMs: number): Turn => {
  const { source, flight, outcome } = message
  const keys = outcome._tag === 'Text' ? keysOf(source, outcome.text) : null
  const end: FetchEnd =
    keys === null ? { result: outcome._tag === 'Failed' ? outcome.why : 'malformed' } : { result: 'ok', keys }
  const told: Effect = { _tag: 'Tell', source, told: end }
  // An earlier fetch may still end later.
  if (state[source].flight?.id !== flight) return [state, [told]]
  const shelf = state[source]
  const ttlMs = setup[source]?.ttlMs ?? 0
  const next = keys === null ? failFlight(shelf, nowMs) : fillShelf(shelf, keys, ttlMs, nowMs)
  const [ended, effects] = endFlight(setup, state, source, next, nowMs)
  return [ended, [...effects, told]]
}

const onOverdue = (
  setup: KeyTtls,
  state: KeyState,
  source: KeySource,
  flight: string,
  nowMs: number,
): Turn =>
  state[source].flight?.id === flight
    ? endFlight(setup, state, source, failFlight(state[source], nowMs), nowMs)
    : stay(state)

const perform =
  (ports: KeyKeeperPorts): Perform<Effect, Message> =>
  async (effect, signal) => {
    if (signal.aborted) return []
    const { source } = effect
    if (effect._tag === 'Fetch')
      return [
        { _tag: 'Fetched', source, flight: effect.flight, outcome: await ports.fetchKeys(source, signal) },
      ]
    ports.fetched(source, effect.told)
    return []
  }

type Keys = ReadonlyArray<SignInKey>

/** An asker that waits for the running fetch. */
interface Waiting {
  readonly kid: string | null
  readonly replyTo: ReplyTo<KeysAnswer>
}

/** A cached key. `missingMs`: when a set first lacked it; null while it is listed. */
interface KeptKey {
  readonly one: SignInKey
  readonly verifiedMs: number | null
  readonly missingMs: number | null
}

/** What is cached of one source. Times are monotonic, in ms. */
interface Shelf {
  readonly kept: { readonly keys: ReadonlyArray<KeptKey>; readonly atMs: number } | null
  /** The running fetch; its id distinguishes its outcome from that of an earlier one. */
  readonly flight: { readonly id: string; readonly waiting: ReadonlyArray<Waiting> } | null
  /** When the last fetch failed; null after a good one. */
  readonly failedMs: number | null
  /** When the issuer was last asked because of a `kid` that the cached keys lack. */
  readonly forcedMs: number | null
}

const emptyShelf: Shelf = { kept: null, flight: null, failedMs: null, forcedMs: null }

/** Whether a key still serves: one that a set lacked serves for the cache's time after that, and no longer. */
const serves =
  (ttlMs: number, nowMs: number) =>
  ({ missingMs }: KeptKey): boolean =>
    missingMs === null || nowMs - missingMs < ttlMs

/** The keys of this id. When the token names none, all that are listed, or all others while none is listed. */
const withKid = ({ kept }: Shelf, kid: string | null, ttlMs: number, nowMs: number): Keys => {
  const serving = (kept?.keys ?? []).filter(serves(ttlMs, nowMs))
  const listed = serving.filter(({ missingMs }) => missingMs === null)
  const found =
    kid !== null ? serving.filter(({ one }) => one.kid === kid) : listed.length > 0 ? listed : serving
  return found.map(({ one }) => one)
}

const unreachable: KeysAnswer = left({ _tag: 'KeysAway', why: 'unreachable' })

/** The answer without the source: cached keys up to `staleMs` beyond their age, otherwise a failure. */
const answerFromCache = (shelf: Shelf, kid: string | null, ttlMs: number, nowMs: number): KeysAnswer =>
  shelf.kept !== null && nowMs - shelf.kept.atMs < ttlMs + staleMs
    ? right(withKid(shelf, kid, ttlMs, nowMs))
    : unreachable

/** How an ask is served: an answer at once, a wait for the running fetch, or a new fetch. */
type ShelfVerdict =
  | { readonly _tag: 'Answer'; readonly answer: KeysAnswer }
  | { readonly _tag: 'Wait' }
  | { readonly _tag: 'Launch' }

const wait: ShelfVerdict = { _tag: 'Wait' }
const launch: ShelfVerdict = { _tag: 'Launch' }
const within = (atMs: number | null, spanMs: number, nowMs: number): boolean =>
  atMs !== null && nowMs - atMs < spanMs

/** Decides how an ask is served. A known key that is fresh is answered at once. */
const decideAsk = (shelf: Shelf, kid: string | null, ttlMs: number, nowMs: number): ShelfVerdict => {
  const { kept, flight } = shelf
  const isFresh = kept !== null && nowMs - kept.atMs < ttlMs
  const known = withKid(shelf, kid, ttlMs, nowMs)
  if (isFresh && (kid === null || known.length > 0)) return { _tag: 'Answer', answer: right(known) }
  if (flight !== null)
    return flight.waiting.length < waitersMax ? wait : { _tag: 'Answer', answer: unreachable }
  const paused =
    within(shelf.failedMs, retryMs, nowMs) || (isFresh && within(shelf.forcedMs, forcedMs, nowMs))
  return paused ? { _tag: 'Answer', answer: answerFromCache(shelf, kid, ttlMs, nowMs) } : launch
}

/** Starts a fetch with its first asker. Where the cached keys are fresh it is because of an unknown `kid`. */
const launchFlight = (shelf: Shelf, id: string, first: Waiting, ttlMs: number, nowMs: number): Shelf => {
  const isForced = shelf.kept !== null && nowMs - shelf.kept.atMs < ttlMs
  return { ...shelf, flight: { id, waiting: [first] }, forcedMs: isForced ? nowMs : shelf.forcedMs }
}

/** The shelf with one more asker that waits. */
const addWaiting = (shelf: Shelf, one: Waiting): Shelf =>
  shelf.flight === null
    ? shelf
    : { ...shelf, flight: { ...shelf.flight, waiting: [...shelf.flight.waiting, one] } }

/**
 * The shelf with new keys. Keys that they lack and that verified a token within the cache's time stay beside them for
 * once that time (docs/spec/sign-in.md#shrunken). A fetch that an asker with a still unknown `kid` waited for counts
 * as forced too.
 */
const fillShelf = (shelf: Shelf, keys: Keys, ttlMs: number, nowMs: number): Shelf => {
  const before = shelf.kept?.keys ?? []
  const listed = keys.map((one): KeptKey => {
    const same = before.find(known => known.one.kid === one.kid && known.one.key.equals(one.key))
    return { one, verifiedMs: same?.verifiedMs ?? null, missingMs: null }
  })
  const others = before
    .filter(({ one, verifiedMs }) => verifiedMs !== null && !keys.some(({ kid }) => kid === one.kid))
    .filter(({ verifiedMs, missingMs }) => missingMs !== null || within(verifiedMs, ttlMs, nowMs))
    .map(known => ({ ...known, missingMs: known.missingMs ?? nowMs }))
    .filter(serves(ttlMs, nowMs))
  const filled = {
    ...shelf,
    kept: { keys: [...listed, ...others], atMs: nowMs },
    flight: null,
    failedMs: null,
  }
  const inVain = shelf.flight?.waiting.some(
    ({ kid }) => kid !== null && withKid(filled, kid, ttlMs, nowMs).length === 0,
  )
  return inVain === true ? { ...filled, forcedMs: nowMs } : filled
}

/** The shelf after a key of this id verified a token; of no id, after one that is listed did. */
const markVerified = (shelf: Shelf, kid: string | null, nowMs: number): Shelf => {
  const { kept } = shelf
  if (kept === null) return shelf
  const keys = kept.keys.map(known =>
    kid === null || known.one.kid === kid ? { ...known, verifiedMs: nowMs } : known,
  )
  return { ...shelf, kept: { ...kept, keys } }
}

/** The shelf after a failed fetch. */
const failFlight = (shelf: Shelf, nowMs: number): Shelf => ({
  ...shelf,
  flight: null,
  failedMs: nowMs,
})
