import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { prometheus } from '#src/adapters/metrics/prometheus.js'
import type { Pushed } from '#src/ports/git.js'
import { sampleSum } from '#test/support/metric-text.js'
import { meterPushes } from './sync.js'

describe('the metrics of pushes', () => {
  it('count each push that did not arrive by its reason, and the pushes until one did', async () => {
    const metrics = prometheus(() => undefined)
    const note = meterPushes(metrics.meter)
    const ends: ReadonlyArray<Pushed> = [
      { _tag: 'Behind' },
      { _tag: 'Unknown', detail: 'no answer' },
      { _tag: 'Failed', action: 'auth_failed', detail: '403' },
      { _tag: 'Failed', action: 'push_rejected', detail: 'hook' },
      { _tag: 'Failed', action: 'failed', detail: 'git' },
      { _tag: 'Pushed' },
      { _tag: 'Pushed' },
    ]
    for (const end of ends) note(end)
    const text = await metrics.text()
    deepEqual(
      ['non_ff', 'network', 'auth', 'hook', 'other'].map(reason =>
        sampleSum(text, 'svc_sync_push_rejections_total', { reason }),
      ),
      [1, 1, 1, 1, 1],
    )
    equal(sampleSum(text, 'svc_sync_push_attempts_sum', {}), 7)
    equal(sampleSum(text, 'svc_sync_push_attempts_count', {}), 2)
  })
})
