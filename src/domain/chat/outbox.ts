import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { ChatCall, ChatFailure, Heard } from '#protocol/chat/platform.js'
import * as say from './failures.js'
import { type Verdict, verdictOf } from './failures.js'
import {
  type Admission,
  admissionOf,
  beginCall,
  type ChatLimits,
  type LimitRules,
  recordAnswer,
} from './limits.js'

/** A call whose caller waits for an answer; `R` is the address of the reply. Times are monotonic. */
export interface Entry<R> {
  readonly call: ChatCall
  readonly deadlineAtMs: number
  readonly attempts: number
  /** Earliest time of the next attempt, after the pause that follows a failed one. */
  readonly notBeforeMs: number
  /** An attempt ended without an answer, so that the platform may have carried the call out. */
  readonly mayBeDone?: true
  readonly replyTo: R
}

/** Calls in order of arrival, and the one in progress; there is one at a time. */
export interface Outbox<R> {
  readonly limits: ChatLimits
  readonly waiting: ReadonlyArray<Entry<R>>
  readonly inFlight: Entry<R> | null
}

/** The text of the answer, or why there is none. */
export type ChatOutcome = Either<ChatFailure, string>

export interface Answered<R> {
  readonly replyTo: R
  readonly outcome: ChatOutcome
}

/** The result of a turn: answers to send, then a call to begin, or else a time at which to look again. */
export interface Turn<R> {
  readonly outbox: Outbox<R>
  readonly answered: ReadonlyArray<Answered<R>>
  readonly begin: { readonly call: ChatCall; readonly timeoutMs: number } | null
  readonly wakeAtMs: number | null
}

export interface Now {
  /** Wall time, for a `Retry-After` that is a date. Everything else is monotonic. */
  readonly nowMs: number
  readonly monotonicMs: number
  /** From 0 to 1; shortens the pause of a retry. */
  readonly chance: number
}

export const waitingMax = 64
export const attemptsMax = 4
export const attemptMs = 3_000

/** The failure of a call, with the doubt that its attempts left. */
export const addDoubt = <R>({ mayBeDone }: Entry<R>, failure: ChatFailure): ChatFailure =>
  mayBeDone === true ? say.withDoubt(failure) : failure

/**
 * Removes the waiting calls that cannot succeed before their deadline, each with a failure that is added to
 * `answered`. When no call is in flight, moves the first waiting call that is ready into `inFlight` and
 * returns it in `begin`. A later call overtakes an earlier one that is pausing or rate-limited. `wakeAtMs` is
 * the earliest time at which a waiting call becomes ready; null when a call is in flight or none waits.
 */
export const startNextCall = <R>(
  outbox: Outbox<R>,
  rules: LimitRules,
  { monotonicMs: nowMs }: Now,
  answered: ReadonlyArray<Answered<R>> = [],
): Turn<R> => {
  const looked = outbox.waiting.map(entry => {
    const admitted = admissionOf(outbox.limits, rules, entry.call, nowMs)
    return { entry, vain: hopelessReason(entry, admitted, nowMs), atMs: readyAtMs(entry, admitted) }
  })
  const given = looked.flatMap(({ entry, vain }) =>
    vain === null ? [] : [{ replyTo: entry.replyTo, outcome: left(addDoubt(entry, vain)) }],
  )
  const kept = looked.filter(({ vain }) => vain === null)
  const first = outbox.inFlight === null ? kept.find(({ atMs }) => atMs <= nowMs)?.entry : undefined
  const waiting = kept.map(({ entry }) => entry).filter(entry => entry !== first)
  const all = [...answered, ...given]
  if (first === undefined) {
    const wakeAtMs =
      outbox.inFlight !== null || kept.length === 0 ? null : Math.min(...kept.map(one => one.atMs))
    return { outbox: { ...outbox, waiting }, answered: all, begin: null, wakeAtMs }
  }
  return {
    outbox: { limits: beginCall(outbox.limits, rules, first.call, nowMs), waiting, inFlight: first },
    answered: all,
    begin: { call: first.call, timeoutMs: Math.min(attemptMs, first.deadlineAtMs - nowMs) },
    wakeAtMs: null,
  }
}

/**
 * Adds a call and starts the next one. When `waitingMax` calls wait already, the call is not added and its
 * caller gets `courierBusy`.
 */
export const enqueueCall = <R>(outbox: Outbox<R>, entry: Entry<R>, rules: LimitRules, now: Now): Turn<R> =>
  outbox.waiting.length >= waitingMax
    ? startNextCall(outbox, rules, now, [{ replyTo: entry.replyTo, outcome: left(say.courierBusy) }])
    : startNextCall({ ...outbox, waiting: [...outbox.waiting, entry] }, rules, now)

/**
 * Handles the end of the attempt in flight, then starts the next call. A call that may be repeated returns to
 * the head of the queue: after a failure it pauses; after a 429 or a 401 the limits hold it. After a 401 the
 * limits are closed, so every waiting call fails at once. An answer that comes when no call is in flight is
 * ignored, and `verdict` is null.
 */
export const receiveAnswer = <R>(
  outbox: Outbox<R>,
  what: Heard,
  rules: LimitRules,
  now: Now,
): Turn<R> & { readonly verdict: Verdict | null } => {
  const { inFlight, waiting } = outbox
  if (inFlight === null) return { ...startNextCall(outbox, rules, now), verdict: null }
  const verdict = verdictOf(what, inFlight.attempts, now.nowMs)
  const limits = recordAnswer(outbox.limits, inFlight.call, what, verdict, now.monotonicMs)
  const doubt = verdict._tag === 'Failed' ? ({ mayBeDone: true } as const) : {}
  const tried = { ...inFlight, ...doubt, attempts: inFlight.attempts + 1 }
  const outcome = finalOutcome(tried, verdict)
  const idle = { limits, inFlight: null }
  if (outcome !== null)
    return {
      ...startNextCall({ ...idle, waiting }, rules, now, [{ replyTo: tried.replyTo, outcome }]),
      verdict,
    }
  const pause = verdict._tag === 'Failed' ? pauseMs(tried.attempts, now.chance) : 0
  const again = { ...tried, notBeforeMs: now.monotonicMs + pause }
  return { ...startNextCall({ ...idle, waiting: [again, ...waiting] }, rules, now), verdict }
}

/** The pause after the failed attempt number n, counted from 1: 500 ms · 2^(n-1), less up to a half. */
const pauseMs = (attempts: number, chance: number): number => 500 * 2 ** (attempts - 1) * (1 - chance / 2)

const closureFailure = (stop: Extract<Admission, { _tag: 'Closed' }>, nowMs: number): ChatFailure =>
  (stop.why === 'token' ? say.tokenRefused : say.budgetSpent)(stop.untilMs - nowMs)

/** Why an entry is answered without another attempt; null when an attempt can still succeed in time. */
const hopelessReason = <R>(
  { deadlineAtMs, notBeforeMs }: Entry<R>,
  admitted: Admission,
  nowMs: number,
): ChatFailure | null => {
  if (admitted._tag === 'Closed') return closureFailure(admitted, nowMs)
  if (admitted._tag === 'Wait' && admitted.untilMs >= deadlineAtMs)
    return say.rateLimited(admitted.untilMs - nowMs)
  return Math.max(nowMs, notBeforeMs) >= deadlineAtMs ? say.noAnswerInTime : null
}

const readyAtMs = <R>({ notBeforeMs }: Entry<R>, admitted: Admission): number =>
  Math.max(notBeforeMs, admitted._tag === 'Go' ? 0 : admitted.untilMs)

/** The outcome when no further attempt is allowed; null when another attempt may be made. */
const finalOutcome = <R>(entry: Entry<R>, verdict: Verdict): ChatOutcome | null => {
  const { attempts } = entry
  switch (verdict._tag) {
    case 'Done':
      return right(verdict.text)
    case 'Refused':
      return left(addDoubt(entry, say.chatRefused(verdict.status, verdict.code, verdict.isOfClient)))
    case 'TokenRefused':
      return null
    case 'Limited':
      return attempts < attemptsMax ? null : left(addDoubt(entry, say.rateLimited(verdict.waitMs)))
    case 'Failed':
      return attempts < attemptsMax ? null : left(say.noAnswer(verdict.reason))
  }
}
