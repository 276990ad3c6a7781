import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { prometheus } from '#src/adapters/metrics/prometheus.js'
import type { TakeoverStore } from '#src/ports/records.js'
import { collectDispatches, collectSupervisors, collectTakeovers } from './actors.js'

describe('the gauges of the supervisors', () => {
  it('are set from one reading each, and a state that passed is 0 again', async () => {
    const metrics = prometheus(() => undefined)
    const reading = { supervisor: 'store', child: null, restartsInWindow: 0, restartsMax: 2, windowMs: 1 }
    collectSupervisors([{ ...reading, state: 'starting' }], metrics.meter)
    collectSupervisors(
      [{ ...reading, state: 'running', child: 'streams', restartsInWindow: 1 }],
      metrics.meter,
    )
    const text = await metrics.text()
    deepEqual(
      text
        .split('\n')
        .filter(line => line.startsWith('svc_supervisor_') && !line.startsWith('svc_supervisor_esc'))
        .sort(),
      [
        'svc_supervisor_restarts_in_window{supervisor="store"} 1',
        'svc_supervisor_restarts_limit{supervisor="store"} 2',
        'svc_supervisor_state{supervisor="store",state="backoff"} 0',
        'svc_supervisor_state{supervisor="store",state="draining"} 0',
        'svc_supervisor_state{supervisor="store",state="restarting"} 0',
        'svc_supervisor_state{supervisor="store",state="running"} 1',
        'svc_supervisor_state{supervisor="store",state="starting"} 0',
        'svc_supervisor_state{supervisor="store",state="stopped"} 0',
      ],
    )
  })
})

describe('the gauges of interactions', () => {
  it('show what waits by kind, and since when', async () => {
    const none = { accepted: 2, enacted: 1, failed: 1, refused: 0 }
    const metrics = prometheus(() => undefined)
    collectDispatches(
      {
        counts: () => ({ close: { ...none, accepted: 5 }, report: none, query: none }),
        running: () => ['close'],
        oldestMs: kind => (kind === 'close' ? 5_000 : null),
      },
      metrics.meter,
    )
    const lines = (await metrics.text()).split('\n')
    deepEqual(lines.filter(line => /^svc_dispatch_(queue|oldest)[^{]*{kind="close/.test(line)).sort(), [
      'svc_dispatch_oldest_item_timestamp_seconds{kind="close"} 5',
      'svc_dispatch_queue_items{kind="close",state="queued"} 2',
      'svc_dispatch_queue_items{kind="close",state="running"} 1',
    ])
    deepEqual(lines.includes('svc_dispatch_oldest_item_timestamp_seconds{kind="query"} 0'), true)
  })
})

describe('the gauges of takeovers', () => {
  it('show the jobs by state, and the end of the cooldown until it is over', async () => {
    const metrics = prometheus(() => undefined)
    const read = async (counts: ReturnType<TakeoverStore['counts']>, endsAtMs: number | null) => {
      const current = () => (endsAtMs === null ? null : { mrIid: null, mrUrl: null, endsAtMs })
      collectTakeovers(
        { counts: () => counts },
        { towns: { fence: () => null }, cooldown: { current } },
        metrics.meter,
      )
      const lines = (await metrics.text()).split('\n')
      return lines.filter(line => /^svc_fleet_takeover_(jobs|cooldown)/.test(line)).sort()
    }
    deepEqual(await read([{ state: 'running', count: 1 }], 5_000), [
      'svc_fleet_takeover_cooldown_end_timestamp_seconds 5',
      'svc_fleet_takeover_jobs{status="done"} 0',
      'svc_fleet_takeover_jobs{status="failed"} 0',
      'svc_fleet_takeover_jobs{status="queued"} 0',
      'svc_fleet_takeover_jobs{status="running"} 1',
    ])
    deepEqual((await read([{ state: 'done', count: 1 }], null)).slice(0, 2), [
      'svc_fleet_takeover_cooldown_end_timestamp_seconds 0',
      'svc_fleet_takeover_jobs{status="done"} 1',
    ])
  })
})
