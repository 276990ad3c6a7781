import { deepEqual, equal, ok } from 'node:assert/strict'
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

describe('a second scrape', () => {
  const asked = { method: 'GET', route: '/health', code: '200' } as const
  const askedSeries = 'svc_http_requests_total{method="GET",route="/health",code="200"}'

  it('has what was counted, observed, set and removed since the first', async () => {
    let depth = 1
    const { meter, text } = prometheus(into => into.gauge('svc_http_requests_in_flight', {}, depth))
    meter.count('svc_http_requests_total', asked, 1)
    meter.observe('svc_store_transaction_seconds', { store: 'runtime' }, 0.5)
    const showsEachAs = async (value: number): Promise<void> => {
      const lines = new Set((await text()).split('\n'))
      for (const series of [
        'svc_http_requests_in_flight',
        askedSeries,
        'svc_store_transaction_seconds_count{store="runtime"}',
      ])
        ok(lines.has(`${series} ${value}`), series)
    }
    await showsEachAs(1)

    depth = 2
    meter.count('svc_http_requests_total', asked, 1)
    meter.observe('svc_store_transaction_seconds', { store: 'runtime' }, 0.5)
    await showsEachAs(2)

    meter.remove('svc_store_transaction_seconds', { store: 'runtime' })
    ok(!(await text()).includes('svc_store_transaction_seconds_count{'))
  })

  it('renders what was counted while the first was rendered', async () => {
    const { meter, text } = prometheus(() => undefined)
    meter.count('svc_http_requests_total', asked, 1)
    const first = text()
    meter.count('svc_http_requests_total', asked, 1)
    await first
    ok((await text()).includes(`${askedSeries} 2\n`))
  })
})
