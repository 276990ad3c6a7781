/** The longest wait, a day. A longer one counts as a day. */
export const waitMsMax = 86_400_000

/** Seconds as milliseconds, rounded up, at most `waitMsMax`; null when they are negative or not finite. */
export const secondsToWaitMs = (seconds: number): number | null =>
  Number.isFinite(seconds) && seconds >= 0 ? Math.min(waitMsMax, Math.ceil(seconds * 1000)) : null

/**
 * Reads an unsigned decimal of at most 15 digits before and after its point, with spaces around it. Null for
 * any other text and for an absent header.
 */
export const readDecimal = (text: string | undefined): number | null =>
  text !== undefined && /^ *\d{1,15}(\.\d{1,15})? *$/.test(text) ? Number(text) : null

/** The wait until a date in any form that `Date.parse` reads; 0 when it is past. */
const untilDateMs = (text: string, nowMs: number): number | null => {
  const atMs = Date.parse(text)
  return Number.isNaN(atMs) ? null : secondsToWaitMs(Math.max(0, atMs - nowMs) / 1000)
}

/**
 * `Retry-After` as a wait in milliseconds: whole or fractional seconds, or a date (RFC 9110 10.2.3); null
 * when it cannot be parsed. `nowMs` is wall time.
 */
export const retryAfterMs = (text: string | undefined, nowMs: number): number | null => {
  if (text === undefined) return null
  const seconds = readDecimal(text)
  if (seconds !== null) return secondsToWaitMs(seconds)
  // Without a letter it is no date: `Date.parse` would read `-1` and `1,5` as dates.
  return /[a-z]/i.test(text) ? untilDateMs(text, nowMs) : null
}

/**
 * The wait after a 429 that states no wait: 2 s · 2^attempt, a minute at most. `attempt` counts from 0.
 */
export const defaultWaitMs = (attempt: number): number => Math.min(60_000, 2_000 * 2 ** Math.min(attempt, 5))
