import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { prometheus } from '#src/adapters/metrics/prometheus.js'
import { tickMeter } from './records.js'

describe('the meter of a tick', () => {
  it('counts overruns from 0, and a tick of exactly its budget as none', async () => {
    const metrics = prometheus(() => undefined)
    const read = async () =>
      (await metrics.text())
        .split('\n')
        .filter(line => /^svc_tick_(?:overruns_total|.*(?:count|sum))\{/.test(line))
    const ticked = tickMeter(metrics.meter, 'dispatch', 2_000)
    deepEqual(await read(), ['svc_tick_overruns_total{tick="dispatch"} 0'])
    for (const elapsedMs of [500, 2_000, 2_500]) ticked(elapsedMs)
    deepEqual(await read(), [
      'svc_tick_duration_seconds_sum{tick="dispatch"} 5',
      'svc_tick_duration_seconds_count{tick="dispatch"} 3',
      'svc_tick_overruns_total{tick="dispatch"} 1',
    ])
  })
})
