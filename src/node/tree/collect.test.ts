import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { prometheus } from '#src/adapters/metrics/prometheus.js'
import { collectSupervisors } from './collect.js'

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
