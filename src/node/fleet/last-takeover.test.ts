import { deepEqual, equal } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { darkFleet, takeoverJob as job } from '#test/support/fleet/topologies.js'
import { runtimeOf, type TestRuntime } from '#test/support/runtime.js'
import { type PeersSources, peersOf } from './takeovers.js'
import { noTowns } from './view.js'

describe('the takeover that GET /fleet/peers shows', () => {
  let runtime: TestRuntime
  beforeEach(() => {
    runtime = runtimeOf()
  })
  afterEach(() => runtime.dispose())

  const open = (takeovers: Partial<PeersSources['takeovers']> = {}) =>
    peersOf({
      checkout: { runtime: runtime.db() },
      config: { 'fleet.auto_failover.after_sweeps': 3 },
      options: { town: 'Deyja' },
      peers: { intervalMs: 60_000, table: { records: () => new Map(), isIsolated: () => false } },
      takeovers: {
        towns: { ...noTowns, view: darkFleet },
        forge: { _tag: 'Forge', call: () => Promise.reject(new Error('no call is made')) },
        cooldown: { current: () => null },
        errors: { last: () => null },
        ...takeovers,
      },
    })

  it('is the job that was queued last, with how it ended', () => {
    const { takeovers } = runtime.db()
    equal(open().lastTakeover(), null)
    takeovers.enqueue(job, 1_000)
    takeovers.noteRequest(job.id, 7, 'https://forge.example/lore/-/merge_requests/7')
    takeovers.end(job.id, { _tag: 'Failed', failure: 'vetoed', detail: 'closed', owesClosing: false }, 2_000)
    deepEqual(open().lastTakeover(), {
      target: 'Deyja',
      reason: 'dark',
      status: 'failed',
      requestedUtc: '1970-01-01T00:00:01.000Z',
      failure: 'vetoed',
      detail: 'closed',
      mrUrl: 'https://forge.example/lore/-/merge_requests/7',
      lastError: null,
    })
  })

  it('shows the last error of a job while it runs', () => {
    const { takeovers } = runtime.db()
    const errorOf = (jobId: string) =>
      open({
        errors: { last: () => ({ jobId, atMs: 3_000, detail: 'the forge answered 500' }) },
      }).lastTakeover()?.lastError
    takeovers.enqueue(job, 1_000)
    equal(errorOf(job.id), null)
    takeovers.begin(job.id, 2_000)
    deepEqual(errorOf(job.id), { atUtc: '1970-01-01T00:00:03.000Z', detail: 'the forge answered 500' })
    equal(errorOf('another'), null)
    takeovers.end(job.id, { _tag: 'Failed', failure: 'vetoed', detail: '', owesClosing: false }, 4_000)
    equal(errorOf(job.id), null)
  })

  it('meets the refusals that POST /fleet/takeover would answer', () => {
    const tagsOf = (takeovers: Partial<PeersSources['takeovers']>) =>
      open(takeovers)
        .obstacles()
        .map(({ _tag }) => _tag)
    deepEqual(tagsOf({}), [])
    const cooldown = { current: () => ({ mrIid: 1, mrUrl: null, endsAtMs: 9 }) }
    deepEqual(tagsOf({ cooldown, forge: { _tag: 'NoForge', why: 'token' } }), [
      'actuation_unavailable',
      'takeover_cooldown',
    ])
  })
})
