import { deepEqual, equal, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'mocha'
import { startBuilt } from '#test/support/built-host.js'
import { fleetText } from '#test/support/fleet/topologies.js'
import { temporaryFolder } from '#test/support/repository.js'
import { hasTool } from './tool.js'

const reads = 10_000
const lanes = 20
const rows = ['/fleet/status', '/fleet/peers', '/fleet/monitor', '/fleet/hosts/Deyja', '/fleet/hosts/Erathia']

describe('S9: the reads of the fleet', () => {
  it(`connect to nothing, ${reads} times`, async function () {
    this.timeout(300_000)
    if (!hasTool('strace')) this.skip()
    const folder = temporaryFolder()
    const log = join(folder.path, 'calls')
    const host = await startBuilt({
      town: 'Deyja',
      files: {
        '.svc/format.json': '{"format": 2}\n',
        // No probe but the first ones, before the trace.
        '.svc/config.json': '{"fleet": {"watch_interval_min": 600}}',
        '.svc/fleet.json': fleetText('Erathia', 1, ['Deyja', 'Erathia'], {
          Erathia: { url: 'http://127.0.0.1:1/v1/api' },
        }),
      },
    })
    try {
      const { pid } = host.daemon.ready
      while ((await host.client.ask('/fleet/hosts/Erathia')).status !== 200);
      const tracer = spawn('strace', ['-f', '-e', 'trace=connect,accept4', '-o', log, '-p', String(pid)], {
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      await once(tracer.stderr, 'data')
      const ask = async (lane: number): Promise<void> => {
        for (let at = lane; at < reads; at += lanes)
          equal((await host.client.ask(rows[at % rows.length] ?? '')).status, 200)
      }
      await Promise.all(Array.from({ length: lanes }, (_, lane) => ask(lane)))
      tracer.kill('SIGINT')
      await once(tracer, 'close')
      const calls = readFileSync(log, 'utf8').split('\n')
      ok(calls.filter(line => line.includes('accept4(')).length >= reads, 'the reads themselves were traced')
      deepEqual(
        calls.filter(line => line.includes('connect(')),
        [],
      )
    } finally {
      await host.stop()
      folder.dispose()
    }
  })
})
