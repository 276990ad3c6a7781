/**
 * The limit of one client: `burst` requests at once, and then `perMinute` requests a minute. The functions of
 * this file never refill a bucket at 0 a minute; the limits of `caller-limits.ts`, for which 0 means no limit, do not
 * call them then.
 */
export interface BucketRule {
  readonly perMinute: number
  readonly burst: number
}

/**
 * The remaining share of a client at a moment, in parts. A request costs 60 000 parts, so that sums stay
 * whole. `atMs` never decreases, also when the clock goes back.
 */
export interface Bucket {
  readonly parts: number
  readonly atMs: number
}

/**
 * The bucket after one request, which the caller stores. `waitMs` is null when the request is admitted, else
 * the milliseconds, rounded up, from `bucket.atMs` until a request is admitted: Infinity at 0 a minute.
 * `bucket.atMs` is later than the time of the request when the clock went back.
 */
export interface BucketTake {
  readonly bucket: Bucket
  readonly waitMs: number | null
}

/**
 * The milliseconds of a minute, so that `perMinute` requests a minute are `perMinute` parts a millisecond.
 */
const requestParts = 60_000

const full = ({ burst }: BucketRule): number => burst * requestParts

/** The parts in a bucket now; a clock that went back changes nothing. */
const refillParts = (rule: BucketRule, bucket: Bucket, nowMs: number): number =>
  Math.min(full(rule), bucket.parts + Math.max(0, nowMs - bucket.atMs) * rule.perMinute)

/** The bucket after the return of one request, and never more than full. */
export const returnRequest = (rule: BucketRule, bucket: Bucket, nowMs: number): Bucket => ({
  parts: Math.min(full(rule), refillParts(rule, bucket, nowMs) + requestParts),
  atMs: Math.max(nowMs, bucket.atMs),
})

/** Whether a bucket, refilled to `nowMs`, holds the whole burst: it equals a new one and need not be kept. */
export const isFull = (rule: BucketRule, bucket: Bucket, nowMs: number): boolean =>
  refillParts(rule, bucket, nowMs) >= full(rule)

/**
 * Computes the bucket after one request. A null bucket is that of a new client and is full. A refused request
 * costs nothing.
 */
export const takeRequest = (rule: BucketRule, bucket: Bucket | null, nowMs: number): BucketTake => {
  const held = bucket === null ? full(rule) : refillParts(rule, bucket, nowMs)
  const atMs = Math.max(nowMs, bucket?.atMs ?? nowMs)
  if (held >= requestParts) return { bucket: { parts: held - requestParts, atMs }, waitMs: null }
  return { bucket: { parts: held, atMs }, waitMs: Math.ceil((requestParts - held) / rule.perMinute) }
}
