import { deepEqual, equal } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { takeoverJob as job } from '#test/support/fleet/topologies.js'
import { runtimeOf, type TestRuntime } from '#test/support/runtime.js'

describe('takeovers on record', () => {
  let runtime: TestRuntime
  beforeEach(() => {
    runtime = runtimeOf()
  })
  afterEach(() => runtime.dispose())
  const store = () => runtime.db().takeovers

  it('has one active job of a town, whose reason and force stay, across a restart (S5)', () => {
    equal(store().enqueue(job, 1).isNew, true)
    runtime.reopen()
    const again = store().enqueue({ ...job, id: 'two', reason: 'other', isForced: true }, 2)
    deepEqual([again.isNew, again.record.job, again.record.requestedMs], [false, job, 1])
    equal(store().enqueue({ ...job, id: 'three', town: 'Bracada' }, 3).isNew, true)
    deepEqual(
      store()
        .active()
        .map(({ job: { id } }) => id),
      ['one', 'three'],
    )
  })

  it('begins a running job again and leaves no end', () => {
    store().enqueue(job, 1)
    equal(store().begin('one', 2), true)
    equal(store().begin('one', 3), true)
    store().noteRequest('one', 7, 'https://forge.example/7')
    equal(store().end('one', { _tag: 'Done', iid: 7, url: 'u', mergedAtMs: 9 }, 4), true)
    equal(store().begin('one', 5), false)
    const failed = { _tag: 'Failed', failure: 'timed_out', detail: '', owesClosing: true } as const
    equal(store().end('one', failed, 6), false)
    const { state, mergedAtMs, request } = store().last() ?? { state: null, mergedAtMs: 0, request: null }
    deepEqual([state, mergedAtMs, request], ['done', 9, { iid: 7, url: 'u' }])
    equal(store().enqueue({ ...job, id: 'two' }, 7).isNew, true)
  })

  it('remembers the veto of a version and the request that is to be closed', () => {
    store().enqueue(job, 1)
    store().noteRequest('one', 7, 'u')
    store().end('one', { _tag: 'Failed', failure: 'vetoed', detail: '', owesClosing: false }, 2)
    store().enqueue({ ...job, id: 'two' }, 3)
    store().end('two', { _tag: 'Failed', failure: 'timed_out', detail: 'x', owesClosing: true }, 4)
    runtime.reopen()
    deepEqual([store().failuresOf('c'), store().failuresOf('d')], [['timed_out', 'vetoed'], []])
    deepEqual(
      store()
        .owed()
        .map(one => one.job.id),
      ['two'],
    )
    store().settle('two')
    deepEqual(store().owed(), [])
    deepEqual(store().counts(), [{ state: 'failed', count: 2 }])
  })

  it('keeps the newest 200 announcements', () => {
    for (let at = 1; at <= 203; at += 1)
      store().announce({ newPrimary: 'Deyja', mrIid: at, epochMs: null }, at)
    const kept = store().announcements()
    deepEqual([kept.length, kept[0]?.mrIid, kept.at(-1)?.mrIid], [200, 203, 4])
  })
})
