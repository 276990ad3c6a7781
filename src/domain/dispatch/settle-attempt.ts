import type { DispatchAttempt, DispatchEnd, DispatchOutcome } from '#protocol/chat/dispatch.js'

/** The next state of an interaction after an attempt. */
export type DispatchSettlement =
  | { readonly _tag: 'End'; readonly end: DispatchEnd }
  | {
      readonly _tag: 'Defer'
      readonly dueMs: number
      /** Whether the attempt counts against the most that are made. */
      readonly isCounted: boolean
      readonly reason: string
    }

export interface SettleRules {
  readonly attemptsMax: number
  readonly nowMs: number
  /** In [0, 1): shortens the pause. */
  readonly chance: number
}

/** How long a held interaction waits before the next look. */
const heldMs = 5_000
const firstPauseMs = 1_000
const pauseMsMax = 60_000

/** The answer to the sender of an interaction that failed. */
export const failedAnswer = 'Nie udało się wykonać tego polecenia. Spróbuj ponownie za kilka minut.'

/** The pause behind attempt number n, counted from 1: 1 s · 2^(n−1), at most a minute, less up to a half. */
const pauseMs = (attempt: number, chance: number): number =>
  Math.round(Math.min(firstPauseMs * 2 ** (attempt - 1), pauseMsMax) * (1 - chance / 2))

const fail = (reason: string): DispatchSettlement => ({
  _tag: 'End',
  end: { state: 'failed', reason, answer: failedAnswer },
})

/** The end of an interaction whose last attempt was cut off by the end of the host; null for any other. */
export const findCutOff = (
  { attempt }: Pick<DispatchAttempt, 'attempt'>,
  attemptsMax: number,
): DispatchEnd | null =>
  attempt > attemptsMax
    ? { state: 'failed', reason: `the host ended during attempt ${attempt - 1}`, answer: failedAnswer }
    : null

/** Decides after an attempt: a failure is repeated behind a growing pause, up to `attemptsMax`, and then final. */
export const settleAttempt = (
  { attempt }: Pick<DispatchAttempt, 'attempt'>,
  outcome: DispatchOutcome,
  { attemptsMax, nowMs, chance }: SettleRules,
): DispatchSettlement => {
  switch (outcome._tag) {
    case 'Enacted':
      return { _tag: 'End', end: { state: 'enacted', reason: null, answer: outcome.answer } }
    case 'Refused':
      return { _tag: 'End', end: { state: 'refused', reason: outcome.reason, answer: outcome.answer } }
    case 'Held':
      return { _tag: 'Defer', dueMs: nowMs + heldMs, isCounted: false, reason: outcome.reason }
    case 'Failed':
      return attempt >= attemptsMax
        ? fail(outcome.reason)
        : {
            _tag: 'Defer',
            dueMs: nowMs + pauseMs(attempt, chance),
            isCounted: true,
            reason: outcome.reason,
          }
  }
}
