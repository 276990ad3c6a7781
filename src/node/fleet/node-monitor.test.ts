import { deepEqual, equal } from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, it } from 'mocha'
import { monitorWatcherOptions, nodeMonitor } from './view.js'

const madeMs = Date.UTC(2026, 5, 15, 10)
const document = {
  generatedUtc: '2026-06-15T10:00:00.000Z',
  monitor: 'outside',
  towns: [{ town: 'Deyja', reachable: false, checkedUtc: '2026-06-15T09:59:00.000Z' }],
}

describe('the view of the monitor on a host', () => {
  let server: Server
  let answer: string
  let status: number
  afterEach(() => void server.close())

  const open = async () => {
    server = createServer((_req, res) => {
      res.writeHead(status, { location: '/elsewhere', connection: 'close' })
      res.end(answer)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const config = {
      'fleet.monitor_url': `http://127.0.0.1:${port}/monitor.json`,
      'fleet.monitor_stale_after_s': 900,
      'fleet.watch_interval_min': 5,
    }
    const heard: Array<string> = []
    const monitor = nodeMonitor({
      config,
      peers: { records: () => new Map() },
      meter: { count: (name, labels) => void heard.push(`${name} ${Object.values(labels).join()}`) },
      log: {
        info: event => void heard.push(event),
        warn: (event, fields) => void heard.push(`${event} ${Object.values(fields ?? {}).join()}`),
      },
      clock: { nowMs: () => madeMs, monotonicMs: () => 0 },
    })
    const fetchOnce = async (): Promise<void> =>
      monitor.ports.record(await monitor.ports.fetch(new AbortController().signal))
    return { config, heard, monitor, fetchOnce }
  }

  it('has the last good document, whatever comes after it', async () => {
    ;[answer, status] = [JSON.stringify(document), 200]
    const { heard, monitor, fetchOnce } = await open()
    deepEqual(monitor.view(), {
      configured: true,
      stale: true,
      fetchedUtc: null,
      failure: null,
      document: null,
      vantageSplit: [],
    })
    await fetchOnce()
    const good = monitor.view()
    deepEqual(JSON.parse(JSON.stringify(good.document)), document)
    deepEqual([good.stale, good.failure], [false, null])
    for (const [body, code, failure] of [
      ['{}', 200, 'bad_document'],
      [`"${'x'.repeat(300_000)}"`, 200, 'too_large'],
      ['gone', 404, 'not_found'],
      ['', 302, 'status'],
    ] as const) {
      ;[answer, status] = [body, code]
      await fetchOnce()
      await fetchOnce()
      deepEqual(monitor.view(), { ...good, failure })
    }
    ;[answer, status] = [JSON.stringify(document), 200]
    await fetchOnce()
    deepEqual(
      heard.filter(line => !line.startsWith('svc_')),
      [
        'monitor_unread bad_document',
        'monitor_unread too_large',
        'monitor_unread not_found',
        'monitor_unread status',
        'monitor_read',
      ],
    )
    equal(heard.filter(line => line === 'svc_outbound_requests_total monitor,200').length, 2)
  })

  it('is off without an address', async () => {
    ;[answer, status] = ['', 200]
    const { config } = await open()
    deepEqual(monitorWatcherOptions(config), { isConfigured: true, intervalMs: 300_000 })
    equal(monitorWatcherOptions({ ...config, 'fleet.monitor_url': '' }).isConfigured, false)
  })
})
