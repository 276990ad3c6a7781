import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { type SyncReport, unknown } from '#actors/repository-sync/state.js'
import type { Remote } from '#src/ports/git.js'
import { makeCell } from '#src/snapshot/cell.js'
import { servedCommit } from '#test/support/contract-world.js'
import { measureSyncAge } from './sync.js'

const okAt = (monotonicMs: number): SyncReport => ({
  ...unknown,
  enabled: true,
  lastOk: { nowMs: 0, monotonicMs },
})

/** A remote that cannot be reached; its calls count all the same. */
const awayRemote: Pick<Remote, 'fetch' | 'push'> = {
  fetch: () => Promise.resolve({ _tag: 'Failed', action: 'unreachable', detail: 'away' }),
  push: () => Promise.resolve({ _tag: 'Unknown', detail: 'away' }),
}

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

  it('counts from the start of the last fetch or push of the converge', async () => {
    let [nowMs, sleptMs] = [1_000, 0]
    const report = makeCell<SyncReport>()
    const age = measureSyncAge({ report, maxAgeMs: 400, monotonicMs: () => nowMs, sleptMs: () => sleptMs })
    const remote = age.timeRemote(awayRemote)
    await remote.fetch(new AbortController().signal)
    sleptMs = 5_000
    nowMs = 1_200
    report.set(okAt(1_200))
    deepEqual([age.ageMs(), age.isStale()], [5_200, true])
    await remote.push('main', servedCommit, new AbortController().signal)
    report.set(okAt(1_201))
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
