import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import {
  attemptGapMs,
  attemptsMost,
  countsAfterMs,
  isConclusive,
  judgeSilence,
  type ProbeFailure,
  type ProbeResult,
} from './peers.js'

const failure = (why: ProbeFailure): ProbeResult => ({ _tag: 'Failed', kind: 'fleet-status', why })
const unsent: ProbeResult = { _tag: 'NotSent' }

describe('the time after which a sweep counts', () => {
  it('is 15 s, and the interval where that is shorter', () =>
    deepEqual([600, 15_000, 15_001, 300_000].map(countsAfterMs), [600, 15_000, 15_000, 15_000]))
})

describe('the requests of a probe', () => {
  it('leave time for an answer to eight of them', () => {
    const timeoutMs = 15_000
    const slowestMs = timeoutMs / 5
    const starts = Array.from({ length: attemptsMost }, (_, at) => at * attemptGapMs(timeoutMs))
    equal(starts.filter(startMs => startMs + slowestMs < timeoutMs).length, 8)
  })

  it('end with any answer, and go on after silence', () => {
    const whys: ReadonlyArray<ProbeFailure> = ['timeout', 'unreachable', 'refused', 'tls', 'bad_card']
    deepEqual(
      whys.filter(why => isConclusive(failure(why))),
      ['refused', 'tls', 'bad_card'],
    )
    equal(isConclusive({ _tag: 'Answered', kind: 'health', card: null }), true)
    equal(isConclusive(unsent), false)
  })

  it('are a miss where most of them left this host (S8)', () => {
    deepEqual(judgeSilence([failure('timeout'), failure('unreachable'), unsent]), failure('timeout'))
    deepEqual(judgeSilence([failure('timeout'), unsent]), unsent)
    deepEqual(judgeSilence([]), unsent)
  })
})
