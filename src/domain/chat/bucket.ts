import { readDecimal, secondsToWaitMs } from '#src/domain/outbound/retry-after.js'

/**
 * The reported state of one bucket, in monotonic milliseconds. At `resetAtMs` a new window begins with the
 * next call; it is assumed to be as long as the longest one reported.
 */
export interface ChatBucket {
  readonly limit: number
  readonly remaining: number
  readonly windowMs: number
  readonly resetAtMs: number
}

/** The bucket in an answer: its state, and its hash if the answer names one. */
export interface ToldBucket {
  readonly hash: string | null
  readonly limit: number
  readonly remaining: number
  readonly resetAfterMs: number
}

const hashLengthMax = 128

/** Parses the rate-limit headers; null when they are absent or invalid. */
export const readBucket = (headers: Readonly<Record<string, string>>): ToldBucket | null => {
  const limit = readDecimal(headers['x-ratelimit-limit'])
  const remaining = readDecimal(headers['x-ratelimit-remaining'])
  const seconds = readDecimal(headers['x-ratelimit-reset-after'])
  const resetAfterMs = seconds === null ? null : secondsToWaitMs(seconds)
  if (limit === null || remaining === null || resetAfterMs === null) return null
  const hash = headers['x-ratelimit-bucket'] ?? ''
  return {
    hash: hash === '' || hash.length > hashLengthMax ? null : hash,
    limit: Math.floor(limit),
    remaining: Math.floor(remaining),
    resetAfterMs,
  }
}

/** The time from which a call may begin; 0 when it may now. */
export const bucketFreeAtMs = (bucket: ChatBucket): number => (bucket.remaining > 0 ? 0 : bucket.resetAtMs)

/**
 * The bucket after one more call. Calls are counted before they begin, so that a call whose answer is lost
 * counts too.
 */
export const takeCall = (bucket: ChatBucket, nowMs: number): ChatBucket =>
  nowMs >= bucket.resetAtMs
    ? { ...bucket, remaining: bucket.limit - 1, resetAtMs: nowMs + bucket.windowMs }
    : { ...bucket, remaining: bucket.remaining - 1 }

/** The bucket after an answer of the platform that states its limit. */
export const updateBucket = (
  before: ChatBucket | null,
  { limit, remaining, resetAfterMs }: ToldBucket,
  nowMs: number,
): ChatBucket => ({
  limit,
  remaining,
  windowMs: Math.max(before?.windowMs ?? 0, resetAfterMs),
  resetAtMs: nowMs + resetAfterMs,
})
