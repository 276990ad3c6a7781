import { deepEqual, equal } from 'node:assert/strict'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { JobOutcome, JobState } from '#src/ports/records.js'
import { runsOf } from '#test/support/runs.js'
import { runtimeOf, type TestRuntime } from '#test/support/runtime.js'

const completed: JobOutcome = { _tag: 'Completed', json: '{"Applied":true}' }
const failed: JobOutcome = { _tag: 'Failed', error: 'interrupted', detail: 'Ask again.' }

/** The graph of S26, independently: the state that each call leads to from each state; absent: no change. */
const graph: Readonly<Record<string, JobState>> = {
  'queued begin': 'running',
  'queued fail': 'failed',
  'running complete': 'completed',
  'running fail': 'failed',
}

describe('jobs on record', () => {
  let runtime: TestRuntime
  beforeEach(() => {
    runtime = runtimeOf()
  })
  afterEach(() => runtime.dispose())

  it('follow the graph whatever is asked of them, and never leave an end (S26)', () => {
    let count = 0
    fc.assert(
      fc.property(fc.array(fc.constantFrom('begin', 'complete', 'fail', 'reopen')), steps => {
        count += 1
        const id = `job-${count}`
        runtime.db().jobs.queue(id, 'import', 1)
        let wanted: JobState = 'queued'
        for (const step of steps) {
          const next: JobState | undefined = graph[`${wanted} ${step}`]
          if (step === 'reopen') {
            runtime.reopen()
          } else if (step === 'begin') equal(runtime.db().jobs.begin(id, 2), next !== undefined)
          else equal(runtime.db().jobs.end(id, step === 'fail' ? failed : completed, 3), next !== undefined)
          wanted = next ?? wanted
          equal(runtime.db().jobs.find(id)?.state, wanted)
        }
      }),
      { numRuns: runsOf(60) },
    )
  })

  it('come back whole', () => {
    runtime.db().jobs.queue('one', 'import', 1)
    runtime.db().jobs.begin('one', 2)
    runtime.db().jobs.end('one', completed, 3)
    runtime.reopen()
    deepEqual(runtime.db().jobs.find('one'), {
      id: 'one',
      kind: 'import',
      state: 'completed',
      createdMs: 1,
      startedMs: 2,
      endedMs: 3,
      result: { Applied: true },
      error: null,
      detail: null,
    })
    equal(runtime.db().jobs.find('two'), null)
  })

  it('are forgotten by age and by number once they ended, never before', () => {
    for (let at = 1; at <= 6; at += 1) {
      runtime.db().jobs.queue(`job-${at}`, 'import', at)
      if (at < 6) runtime.db().jobs.end(`job-${at}`, failed, at)
    }
    equal(runtime.db().jobs.forget(2, 3), 2)
    deepEqual(
      [1, 2, 3, 4, 5, 6].filter(at => runtime.db().jobs.find(`job-${at}`) !== null),
      [3, 4, 5, 6],
    )
    equal(runtime.db().jobs.forget(100, 100), 3)
    deepEqual(
      runtime
        .db()
        .jobs.unfinished()
        .map(job => job.id),
      ['job-6'],
    )
    deepEqual(runtime.db().jobs.counts(), [{ kind: 'import', state: 'queued', count: 1 }])
  })
})
