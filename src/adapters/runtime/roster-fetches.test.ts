import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { refuseWritesSql, runtimeOf, type TestRuntime } from '#test/support/runtime.js'

const hourMs = 3_600_000

describe('the fetches of the roster', () => {
  let runtime: TestRuntime
  const take = (perHour: number, nowMs: number, person: string | null = null) =>
    runtime.db().rosterFetches.take(perHour, nowMs, person)
  const tags = (perHour: number, ...times: ReadonlyArray<number>) =>
    times.map(nowMs => take(perHour, nowMs)._tag)
  beforeEach(() => {
    runtime = runtimeOf()
  })
  afterEach(() => runtime.dispose())

  it('are as many in a sliding hour as the budget allows', () => {
    deepEqual(tags(2, 0, 1000, 1001), ['Taken', 'Taken', 'Exhausted'])
    deepEqual(take(2, hourMs - 1), { _tag: 'Exhausted', of: 'host', retryAfterMs: 1 })
    deepEqual(tags(2, hourMs, hourMs, hourMs + 1000), ['Taken', 'Exhausted', 'Taken'])
    equal(runtime.db().rosterFetches.count(hourMs + 1000), 2)
  })

  it('are at most half of the budget for one person, over a restart; a bot has all of them', () => {
    deepEqual([take(4, 0, 'Brzoza')._tag, take(4, 10, 'Brzoza')._tag], ['Taken', 'Taken'])
    runtime.reopen()
    deepEqual(take(4, 20, 'Brzoza'), { _tag: 'Exhausted', of: 'person', retryAfterMs: hourMs - 20 })
    deepEqual([take(4, 30, 'Jodła')._tag, take(4, 40)._tag], ['Taken', 'Taken'])
    deepEqual(take(4, 50, 'Jodła'), { _tag: 'Exhausted', of: 'host', retryAfterMs: hourMs - 50 })
    equal(take(4, hourMs, 'Brzoza')._tag, 'Taken')
    equal(take(1, 3 * hourMs, 'Brzoza')._tag, 'Taken')
  })

  it('are given back one by one, to the host and to the person', () => {
    const first = take(2, 0, 'Brzoza')
    equal(take(2, 1, 'Jodła')._tag, 'Taken')
    if (first._tag === 'Taken') runtime.db().rosterFetches.giveBack(first.fetch)
    equal(runtime.db().rosterFetches.count(2), 1)
    deepEqual([take(2, 2, 'Jodła')._tag, take(2, 3, 'Brzoza')._tag], ['Exhausted', 'Taken'])
  })

  it('are given back by no restart', () => {
    deepEqual(tags(2, 5, 6), ['Taken', 'Taken'])
    runtime.reopen()
    deepEqual(take(2, 7), { _tag: 'Exhausted', of: 'host', retryAfterMs: hourMs - 2 })
  })

  it('are given back by no clock that is set back, and block for an hour at most', () => {
    const later = 100 * hourMs
    deepEqual(tags(2, later, later + 1), ['Taken', 'Taken'])
    deepEqual(take(2, 50), { _tag: 'Exhausted', of: 'host', retryAfterMs: hourMs })
    deepEqual(tags(2, 50 + hourMs), ['Taken'])
  })

  it('wait for the fetch that fills the last place where the budget was made smaller', () => {
    deepEqual(tags(3, 0, 10, 20), ['Taken', 'Taken', 'Taken'])
    deepEqual(take(1, 30), { _tag: 'Exhausted', of: 'host', retryAfterMs: 20 + hourMs - 30 })
    deepEqual(take(0, 30), { _tag: 'Exhausted', of: 'host', retryAfterMs: hourMs })
  })

  it('are not taken where the disk refuses', () => {
    runtime.execute(refuseWritesSql('roster_fetches'))
    throws(() => take(2, 0), /full/)
    equal(runtime.db().rosterFetches.count(1), 0)
  })

  it('never exceed the budget in any hour, and a fetch is possible after the wait that a refusal names', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.integer({ min: 0, max: hourMs }), { maxLength: 20 }),
        (perHour, gaps) => {
          const fresh = runtimeOf()
          try {
            const { rosterFetches } = fresh.db()
            const taken: Array<number> = []
            let nowMs = 0
            for (const gap of gaps) {
              nowMs += gap
              const verdict = rosterFetches.take(perHour, nowMs, null)
              if (verdict._tag === 'Exhausted') {
                ok(verdict.retryAfterMs > 0 && verdict.retryAfterMs <= hourMs)
                nowMs += verdict.retryAfterMs
                equal(rosterFetches.take(perHour, nowMs, null)._tag, 'Taken')
              }
              taken.push(nowMs)
            }
            for (const [at, ms] of taken.entries()) {
              const earlier = taken[at - perHour]
              ok(earlier === undefined || ms - earlier >= hourMs)
            }
          } finally {
            fresh.dispose()
          }
        },
      ),
      { numRuns: 25 },
    )
  })
})
