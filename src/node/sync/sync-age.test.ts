import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { SyncReport } from '#actors/repository-sync/messages.js'
import { unknown } from '#actors/repository-sync/state.js'
import { makeCell } from '#src/snapshot/cell.js'
import { measureSyncAge } from './sync-age.js'

const okAt = (monotonicMs: number): SyncReport => ({
  ...unknown,
  enabled: true,
  lastOk: { nowMs: 0, monotonicMs },
})

describe('the age of the last converge', () => {
  it('counts the time that the machine slept since', () => {
    let [nowMs, sleptMs] = [900, 5_000]
    const report = makeCell<SyncReport>()
    const age = measureSyncAge({ report, maxAgeMs: 400, monotonicMs: () => nowMs, sleptMs: () => sleptMs })
    equal(age.ageMs(), null)
    nowMs = 1_000
    report.set(okAt(1_000))
    nowMs = 1_300
    deepEqual([age.ageMs(), age.isStale()], [300, false])
    sleptMs = 5_200
    deepEqual([age.ageMs(), age.isStale()], [500, true])
    report.set(okAt(1_300))
    deepEqual([age.ageMs(), age.isStale()], [0, false])
  })

  it('is unknown while sync is off, and counts from the start for the gate', () => {
    let nowMs = 0
    const report = makeCell<SyncReport>()
    const age = measureSyncAge({ report, maxAgeMs: 400, monotonicMs: () => nowMs, sleptMs: () => 0 })
    report.set({ ...unknown, enabled: true })
    nowMs = 500
    deepEqual([age.ageMs(), age.isStale()], [null, true])
    report.set(unknown)
    deepEqual([age.ageMs(), age.isStale()], [null, false])
  })
})
