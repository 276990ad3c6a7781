import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { type Bucket, type BucketRule, isFull, returnRequest, takeRequest } from './token-bucket.js'

const rule: BucketRule = { perMinute: 60, burst: 3 }

/** Lets requests come at these moments; answers which were let in. */
const admitAt = (one: BucketRule, times: ReadonlyArray<number>): ReadonlyArray<number> => {
  let bucket: Bucket | null = null
  return times.filter(nowMs => {
    const taken = takeRequest(one, bucket, nowMs)
    bucket = taken.bucket
    return taken.waitMs === null
  })
}

describe('a token bucket', () => {
  it('lets a burst in, then one a second at 60 a minute', () => {
    deepEqual(admitAt(rule, [0, 0, 0, 0, 999, 1_000, 1_001, 2_000]), [0, 0, 0, 1_000, 2_000])
  })

  it('tells exactly when the next request is let in', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 600 }),
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 60 }),
        (perMinute, burst, gaps) => {
          const one = { perMinute, burst }
          let nowMs = 0
          let bucket: Bucket | null = null
          for (const gap of gaps) {
            nowMs += gap
            const taken = takeRequest(one, bucket, nowMs)
            bucket = taken.bucket
            if (taken.waitMs === null) continue
            ok(taken.waitMs > 0)
            equal(takeRequest(one, bucket, nowMs + taken.waitMs).waitMs, null)
            ok(takeRequest(one, bucket, nowMs + taken.waitMs - 1).waitMs !== null)
          }
        },
      ),
    )
  })

  it('never lets more in than the burst and what flowed in since', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 80 }), gaps => {
        let at = 0
        const times = gaps.map(gap => (at += gap))
        const admitted = admitAt(rule, times).length
        ok(admitted <= rule.burst + at / 1_000)
      }),
    )
  })

  it('is full again after its time, and a clock that goes back gives nothing', () => {
    const { bucket } = takeRequest(rule, { parts: 60_000, atMs: 10_000 }, 10_000)
    equal(isFull(rule, bucket, 12_999), false)
    equal(isFull(rule, bucket, 13_000), true)
    ok(takeRequest(rule, bucket, 0).waitMs !== null)
    equal(takeRequest(rule, bucket, 0).bucket.atMs, 10_000)
  })

  it('is after a return as if the request had not been made, and never above the burst', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 3_000 }), fc.boolean()), { maxLength: 60 }),
        steps => {
          let [nowMs, kept, both]: [number, Bucket | null, Bucket | null] = [0, null, null]
          for (const [gap, stays] of steps) {
            nowMs += gap
            const taken = takeRequest(rule, both, nowMs)
            const returns = !stays && taken.waitMs === null
            both = returns ? returnRequest(rule, taken.bucket, nowMs) : taken.bucket
            if (stays) kept = takeRequest(rule, kept, nowMs).bucket
            ok(both.parts <= rule.burst * 60_000)
            const waitNow = (bucket: Bucket): number | null => takeRequest(rule, bucket, nowMs).waitMs
            equal(waitNow(both), waitNow(kept ?? both))
          }
        },
      ),
    )
  })

  it('returns nothing into a full bucket, and counts the time that the request was out', () => {
    const { bucket } = takeRequest(rule, null, 0)
    deepEqual(returnRequest(rule, bucket, 60_000), { parts: 180_000, atMs: 60_000 })
    deepEqual(returnRequest(rule, { parts: 30_000, atMs: 500 }, 100), { parts: 90_000, atMs: 500 })
  })
})
