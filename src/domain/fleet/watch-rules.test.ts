import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import {
  findPause,
  type HealthSign,
  type HostClocks,
  healthScoreAfter,
  healthScoreMax,
} from './fleet-state.js'

describe('the local health score', () => {
  const scoreOf = (...signs: ReadonlyArray<HealthSign>): number => signs.reduce(healthScoreAfter, 0)
  it('rises by what this host failed to do', () => equal(scoreOf('NotSent', 'Paused'), 2))
  it('falls by an answer, to 0', () => equal(scoreOf('NotSent', 'Answered', 'Answered'), 0))
  it('is not changed by a dark town', () => equal(scoreOf('NotSent', 'Failed', 'Failed'), 1))
  it('has a most', () => equal(scoreOf(...Array<HealthSign>(20).fill('NotSent')), healthScoreMax))
})

describe('a pause of this host', () => {
  const start: HostClocks = { monotonicMs: 1_000, wallMs: 5_000_000, uptimeMs: 70_000, pauses: 0 }
  const intervalMs = 60_000
  const after = (monotonicMs: number, sleepMs = 0, stepMs = 0) =>
    findPause(
      start,
      {
        monotonicMs: start.monotonicMs + monotonicMs,
        wallMs: start.wallMs + monotonicMs + sleepMs + stepMs,
        uptimeMs: start.uptimeMs + monotonicMs + sleepMs,
        pauses: 0,
      },
      intervalMs,
      intervalMs,
    )

  it('is none where the timer comes in time', () => equal(after(60_010), null))
  it('is none where the timer is a little late', () => equal(after(89_000), null))
  it('is a timer that is late by half an interval', () =>
    deepEqual(after(91_000), { pauseMs: 31_000, sleepMs: 0 }))
  it('is a sleep of the machine, which the monotonic clock does not show', () =>
    deepEqual(after(60_000, 3_600_000), { pauseMs: 3_600_000, sleepMs: 3_600_000 }))
  it('is a clock that was set, without any sleep', () => {
    deepEqual(after(60_000, 0, 7 * 86_400_000), { pauseMs: 0, sleepMs: 0 })
    deepEqual(after(60_000, 0, -7 * 86_400_000), { pauseMs: 0, sleepMs: 0 })
  })
  it('is none where the clock is corrected, or the uptime counts in seconds', () =>
    equal(after(60_000, 999, -900), null))
})
