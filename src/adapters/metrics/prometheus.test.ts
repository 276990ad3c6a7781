import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { labelledTownsMax, prometheus } from './prometheus.js'

describe('the metrics of towns', () => {
  it('have a bounded number of series, however many towns the commits name', async () => {
    const { meter, text } = prometheus(() => undefined)
    for (let n = 0; n < labelledTownsMax + 500; n += 1)
      meter.gauge('svc_fleet_peer_reachable', { town: `Miasto ${n}` }, 1)
    meter.gauge('svc_fleet_peer_reachable', { town: 'Miasto 0' }, 0)
    const lines = (await text()).split('\n').filter(line => line.startsWith('svc_fleet_peer_reachable{'))
    equal(lines.length, labelledTownsMax + 1)
    deepEqual(
      [lines[0], lines.at(-1)],
      ['svc_fleet_peer_reachable{town="Miasto 0"} 0', 'svc_fleet_peer_reachable{town="(other)"} 1'],
    )
  })
})
