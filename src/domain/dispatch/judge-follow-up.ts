import type { Heard } from '#protocol/chat/call.js'
import { verdictOf } from '#src/domain/chat/verdict.js'

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

/** How long the worker may take to answer the chat first; until then the platform knows no original answer. */
const earlyMs = 15_000
const earlyTriesMax = 5
const firstPauseMs = 500
const pauseMsMax = 30_000

const pauseMs = (tries: number): number => Math.min(firstPauseMs * 2 ** tries, pauseMsMax)

/** Whether an answer of the platform counts towards a ban of the address. */
export const countsAsInvalid = (heard: Heard): boolean =>
  heard._tag === 'Answer' &&
  (heard.status === 401 ||
    heard.status === 403 ||
    (heard.status === 429 && heard.headers['x-ratelimit-scope'] !== 'shared'))

/**
 * Judges an attempt to send an answer. Status 401 ends this token and says nothing about the bot. Status 404 is
 * repeated while the worker may not have answered the chat yet, five tries in all; later it is final.
 */
export const judgeFollowUp = ({ heard, tries, ageMs, nowMs }: FollowUpAttempt): FollowUpVerdict => {
  const verdict = verdictOf(heard, tries, nowMs)
  switch (verdict._tag) {
    case 'Done':
      return { _tag: 'Sent' }
    case 'TokenRefused':
      return { _tag: 'Final', why: 'token_dead', status: 401, code: null }
    case 'Limited':
      return {
        _tag: 'Again',
        waitMs: verdict.waitMs,
        holdMs: verdict.scope === 'global' ? verdict.waitMs : 0,
      }
    case 'Failed':
      return { _tag: 'Again', waitMs: pauseMs(tries), holdMs: 0 }
    case 'Refused': {
      const { status, code } = verdict
      if (status !== 404) return { _tag: 'Final', why: 'refused', status, code }
      return ageMs < earlyMs && tries + 1 < earlyTriesMax
        ? { _tag: 'Again', waitMs: pauseMs(tries), holdMs: 0 }
        : { _tag: 'Final', why: 'not_found', status, code }
    }
  }
}
