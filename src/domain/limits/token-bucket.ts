/** The limit of one client: a burst, and then a number of requests a minute. 0 a minute: no limit. */
export interface BucketRule {
  readonly perMinute: number
  readonly burst: number
}

/**
 * The remaining share of a client at a moment, in parts. A request costs 60 000 parts, so that sums stay
 * whole.
 */
export interface Bucket {
  readonly parts: number
  readonly atMs: number
}

/**
 * The bucket after one request. `waitMs` is null when the request is admitted, else the wait until the next
 * one is.
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

/** Whether a bucket equals a new one and need not be kept. */
export const isFull = (rule: BucketRule, bucket: Bucket, nowMs: number): boolean =>
  refillParts(rule, bucket, nowMs) >= full(rule)

/** Takes one request from a bucket; null means a new client. A refused request costs nothing. */
export const takeRequest = (rule: BucketRule, bucket: Bucket | null, nowMs: number): BucketTake => {
  const held = bucket === null ? full(rule) : refillParts(rule, bucket, nowMs)
  const atMs = Math.max(nowMs, bucket?.atMs ?? nowMs)
  if (held >= requestParts) return { bucket: { parts: held - requestParts, atMs }, waitMs: null }
  return { bucket: { parts: held, atMs }, waitMs: Math.ceil((requestParts - held) / rule.perMinute) }
}
