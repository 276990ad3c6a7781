/** The longest accepted wait, a day; a longer one in an answer is treated as invalid data. */
export const waitMsMax = 86_400_000

/** A duration in seconds as whole milliseconds, at most a day; null when it is negative or not finite. */
export const durationMs = (seconds: number): number | null =>
  Number.isFinite(seconds) && seconds >= 0 ? Math.min(waitMsMax, Math.ceil(seconds * 1000)) : null

/** A decimal in a header; null when it is none. */
export const readDecimal = (text: string | undefined): number | null =>
  text !== undefined && /^ *\d{1,15}(\.\d{1,15})? *$/.test(text) ? Number(text) : null

const untilDateMs = (text: string, nowMs: number): number | null => {
  const atMs = Date.parse(text)
  return Number.isNaN(atMs) ? null : durationMs(Math.max(0, atMs - nowMs) / 1000)
}

/**
 * `Retry-After` as a wait in milliseconds: whole or fractional seconds, or a date (RFC 9110 10.2.3); null
 * when it cannot be parsed.
 */
export const retryAfterMs = (text: string | undefined, nowMs: number): number | null => {
  if (text === undefined) return null
  const seconds = readDecimal(text)
  if (seconds !== null) return durationMs(seconds)
  return /[a-z]/i.test(text) ? untilDateMs(text, nowMs) : null
}

/** The wait after a 429 that names none: 2 s · 2^n, a minute at most. */
export const unnamedWaitMs = (attempt: number): number => Math.min(60_000, 2_000 * 2 ** Math.min(attempt, 5))
