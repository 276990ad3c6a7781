import { type Heard, PlatformMessage } from '#protocol/chat/platform.js'
import { verdictOf } from '#src/domain/chat/failures.js'
import { readBucket } from '#src/domain/chat/limits.js'
import { parseJson } from '#src/domain/json/json-text.js'

/** Why an answer is not sent, or not sent again. */
export type FollowUpFailure =
  | 'expired'
  | 'token_unreadable'
  | 'chat_disabled'
  | 'token_dead'
  | 'not_found'
  | 'refused'

/** The meaning of an attempt to send an answer. */
export type FollowUpVerdict =
  | { readonly _tag: 'Sent' }
  | {
      readonly _tag: 'Final'
      readonly why: FollowUpFailure
      readonly status: number | null
      readonly code: number | null
    }
  /** `holdMs`: how long no answer at all may be sent; 0 where others may go on. */
  | { readonly _tag: 'Again'; readonly waitMs: number; readonly holdMs: number }

/** An attempt: what came, how often it was tried before, and the age of the interaction. */
export interface FollowUpAttempt {
  readonly heard: Heard
  readonly tries: number
  readonly ageMs: number
  /** Wall time, for a `Retry-After` that is a date. */
  readonly nowMs: number
}

/** Whether an answer of the platform counts towards a ban of the address. */
export const countsAsInvalid = (heard: Heard): boolean =>
  heard._tag === 'Answer' &&
  (heard.status === 401 ||
    heard.status === 403 ||
    (heard.status === 429 && heard.headers['x-ratelimit-scope'] !== 'shared'))

/**
 * Judges an attempt to send an answer. Status 401 ends this token and says nothing about the bot. Status 404 is
 * repeated while the worker may not have answered the chat yet, five tries in all; later it is final. A success
 * that is no message, such as the page of a proxy, is a failure. A pause lasts at least until the bucket of the token
 * has room; no other place remembers that bucket.
 */
export const judgeFollowUp = (attempt: FollowUpAttempt): FollowUpVerdict => {
  const { heard, tries, ageMs, nowMs } = attempt
  const verdict = verdictOf(heard, tries, nowMs)
  switch (verdict._tag) {
    case 'Done':
      return PlatformMessage.is(parseJson(verdict.text))
        ? { _tag: 'Sent' }
        : { _tag: 'Again', waitMs: pauseMs(attempt), holdMs: 0 }
    case 'TokenRefused':
      return { _tag: 'Final', why: 'token_dead', status: 401, code: null }
    case 'Limited':
      return {
        _tag: 'Again',
        waitMs: Math.max(verdict.waitMs, emptyMs(heard)),
        holdMs: verdict.scope === 'global' ? verdict.waitMs : 0,
      }
    case 'Failed':
      return { _tag: 'Again', waitMs: pauseMs(attempt), holdMs: 0 }
    case 'Refused': {
      const { status, code, isOfClient } = verdict
      if (isOfClient) return { _tag: 'Again', waitMs: clientHoldMs, holdMs: clientHoldMs }
      if (status !== 404) return { _tag: 'Final', why: 'refused', status, code }
      return ageMs < earlyMs && tries + 1 < earlyTriesMax
        ? { _tag: 'Again', waitMs: pauseMs(attempt), holdMs: 0 }
        : { _tag: 'Final', why: 'not_found', status, code }
    }
  }
}

/** How long the worker may take to answer the chat first; until then the platform knows no original answer. */
const earlyMs = 15_000
const earlyTriesMax = 5
const firstPauseMs = 500
const pauseMsMax = 30_000
/** How long no answer is sent after the platform refused this host as a client. */
const clientHoldMs = 60_000

/** How long the bucket of this token is empty by the headers of its answer; 0 where it is not. */
const emptyMs = (heard: Heard): number => {
  const bucket = heard._tag === 'Answer' ? readBucket(heard.headers) : null
  return bucket === null || bucket.remaining > 0 ? 0 : bucket.resetAfterMs
}

const pauseMs = ({ heard, tries }: FollowUpAttempt): number =>
  Math.max(Math.min(firstPauseMs * 2 ** tries, pauseMsMax), emptyMs(heard))
