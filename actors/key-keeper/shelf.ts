import { left, right } from 'fp-ts/lib/Either.js'
import type { ReplyTo } from '#src/kernel/actor/ref.js'
import type { SignInKey } from '#src/ports/identity.js'
import type { KeysAnswer } from './messages.js'

type Keys = ReadonlyArray<SignInKey>

/** An asker that waits for the running fetch. */
export interface Waiting {
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
export interface Shelf {
  readonly kept: { readonly keys: ReadonlyArray<KeptKey>; readonly atMs: number } | null
  /** The running fetch; its id distinguishes its outcome from that of an earlier one. */
  readonly flight: { readonly id: string; readonly waiting: ReadonlyArray<Waiting> } | null
  /** When the last fetch failed; null after a good one. */
  readonly failedMs: number | null
  /** When the issuer was last asked because of a `kid` that the cached keys lack. */
  readonly forcedMs: number | null
}

export const emptyShelf: Shelf = { kept: null, flight: null, failedMs: null, forcedMs: null }

/** Pause after a failed fetch, so that sign-ins do not flood a source that is down. */
export const retryMs = 10_000
/** At most one fetch for unknown `kid`s within this time (SECURITY 4.1). */
export const forcedMs = 60_000
/** How long keys are used beyond their age while their source is unreachable. */
export const staleMs = 86_400_000
/** The most askers that may wait for one fetch. */
export const waitersMax = 1_024

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

export const unreachable: KeysAnswer = left({ _tag: 'KeysAway', why: 'unreachable' })

/** The answer without the source: cached keys up to `staleMs` beyond their age, otherwise a failure. */
export const answerFromCache = (
  shelf: Shelf,
  kid: string | null,
  ttlMs: number,
  nowMs: number,
): KeysAnswer =>
  shelf.kept !== null && nowMs - shelf.kept.atMs < ttlMs + staleMs
    ? right(withKid(shelf, kid, ttlMs, nowMs))
    : unreachable

/** How an ask is served: an answer at once, a wait for the running fetch, or a new fetch. */
export type ShelfVerdict =
  | { readonly _tag: 'Answer'; readonly answer: KeysAnswer }
  | { readonly _tag: 'Wait' }
  | { readonly _tag: 'Launch' }

const wait: ShelfVerdict = { _tag: 'Wait' }
const launch: ShelfVerdict = { _tag: 'Launch' }
const within = (atMs: number | null, spanMs: number, nowMs: number): boolean =>
  atMs !== null && nowMs - atMs < spanMs

/** Decides how an ask is served. A known key that is fresh is answered at once. */
export const decideAsk = (shelf: Shelf, kid: string | null, ttlMs: number, nowMs: number): ShelfVerdict => {
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
export const launchFlight = (
  shelf: Shelf,
  id: string,
  first: Waiting,
  ttlMs: number,
  nowMs: number,
): Shelf => {
  const isForced = shelf.kept !== null && nowMs - shelf.kept.atMs < ttlMs
  return { ...shelf, flight: { id, waiting: [first] }, forcedMs: isForced ? nowMs : shelf.forcedMs }
}

/** The shelf with one more asker that waits. */
export const addWaiting = (shelf: Shelf, one: Waiting): Shelf =>
  shelf.flight === null
    ? shelf
    : { ...shelf, flight: { ...shelf.flight, waiting: [...shelf.flight.waiting, one] } }

/**
 * The shelf with new keys. Keys that they lack and that verified a token within the cache's time stay beside them for
 * once that time (docs/spec/sign-in.md#shrunken). A fetch that an asker with a still unknown `kid` waited for counts
 * as forced too.
 */
export const fillShelf = (shelf: Shelf, keys: Keys, ttlMs: number, nowMs: number): Shelf => {
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
export const markVerified = (shelf: Shelf, kid: string | null, nowMs: number): Shelf => {
  const { kept } = shelf
  if (kept === null) return shelf
  const keys = kept.keys.map(known =>
    kid === null || known.one.kid === kid ? { ...known, verifiedMs: nowMs } : known,
  )
  return { ...shelf, kept: { ...kept, keys } }
}

/** The shelf after a failed fetch. */
export const failFlight = (shelf: Shelf, nowMs: number): Shelf => ({
  ...shelf,
  flight: null,
  failedMs: nowMs,
})
