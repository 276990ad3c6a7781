import { decimalOf, durationMs } from './retry-after.js'

/**
 * What the platform told of one bucket, in monotonic milliseconds. From `resetAtMs` on a new window begins with the
 * next call; it is presumed to last as long as the longest one that was told of.
 */
export interface Bucket {
  readonly limit: number
  readonly remaining: number
  readonly windowMs: number
  readonly resetAtMs: number
}

/** The bucket of an answer: its hash, where one is named, and its state. */
export interface ToldBucket {
  readonly hash: string | null
  readonly limit: number
  readonly remaining: number
  readonly resetAfterMs: number
}

const hashLengthMax = 128

/** Null where the headers tell no bucket, or garbage. */
export const toldBucket = (headers: Readonly<Record<string, string>>): ToldBucket | null => {
  const limit = decimalOf(headers['x-ratelimit-limit'])
  const remaining = decimalOf(headers['x-ratelimit-remaining'])
  const seconds = decimalOf(headers['x-ratelimit-reset-after'])
  const resetAfterMs = seconds === null ? null : durationMs(seconds)
  if (limit === null || remaining === null || resetAfterMs === null) return null
  const hash = headers['x-ratelimit-bucket'] ?? ''
  return {
    hash: hash === '' || hash.length > hashLengthMax ? null : hash,
    limit: Math.floor(limit),
    remaining: Math.floor(remaining),
    resetAfterMs,
  }
}

/** From when a call may begin; 0 where it may now. */
export const bucketFreeAtMs = (bucket: Bucket): number => (bucket.remaining > 0 ? 0 : bucket.resetAtMs)

/** One call less. It is counted before it begins, so that a lost answer is a call too. */
export const taken = (bucket: Bucket, nowMs: number): Bucket =>
  nowMs >= bucket.resetAtMs
    ? { ...bucket, remaining: bucket.limit - 1, resetAtMs: nowMs + bucket.windowMs }
    : { ...bucket, remaining: bucket.remaining - 1 }

export const learned = (
  before: Bucket | null,
  { limit, remaining, resetAfterMs }: ToldBucket,
  nowMs: number,
): Bucket => ({
  limit,
  remaining,
  windowMs: Math.max(before?.windowMs ?? 0, resetAfterMs),
  resetAtMs: nowMs + resetAfterMs,
})
