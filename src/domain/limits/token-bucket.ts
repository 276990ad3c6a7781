/** How much one client may ask: so many at once, and so many a minute after that. 0 a minute: no limit. */
export interface BucketRule {
  readonly perMinute: number
  readonly burst: number
}

/** What was left of a client's share at a moment, in parts: a request costs 60 000, so that sums stay whole. */
export interface Bucket {
  readonly parts: number
  readonly atMs: number
}

/** The bucket after one request; `waitMs` is null where it was let in, else when the next one will be. */
export interface Taken {
  readonly bucket: Bucket
  readonly waitMs: number | null
}

/** A minute of milliseconds: `perMinute` requests a minute are as many parts a millisecond. */
const requestParts = 60_000

const full = ({ burst }: BucketRule): number => burst * requestParts

/** What a bucket holds by now; a clock that went back gives nothing and takes nothing. */
const refilled = (rule: BucketRule, bucket: Bucket, nowMs: number): number =>
  Math.min(full(rule), bucket.parts + Math.max(0, nowMs - bucket.atMs) * rule.perMinute)

/** Whether a bucket is as good as a new one, and need not be kept. */
export const isFull = (rule: BucketRule, bucket: Bucket, nowMs: number): boolean =>
  refilled(rule, bucket, nowMs) >= full(rule)

/** Takes one request out of a bucket; null is a client that was not seen before. A refused one costs nothing. */
export const take = (rule: BucketRule, bucket: Bucket | null, nowMs: number): Taken => {
  const held = bucket === null ? full(rule) : refilled(rule, bucket, nowMs)
  const atMs = Math.max(nowMs, bucket?.atMs ?? nowMs)
  if (held >= requestParts) return { bucket: { parts: held - requestParts, atMs }, waitMs: null }
  return { bucket: { parts: held, atMs }, waitMs: Math.ceil((requestParts - held) / rule.perMinute) }
}
