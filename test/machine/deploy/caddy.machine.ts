import { deepEqual, equal, ok } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, it } from 'mocha'
import { type BuiltHost, startBuilt } from '#test/support/built-host.js'
import { eventually } from '#test/support/daemon.js'
import { findFreePort } from '#test/support/free-port.js'
import { askTarget } from '#test/support/http-client.js'
import { jsonField } from '#test/support/json-field.js'
import { root } from '#test/tidy/sources.js'
import { hasTool } from '../tool.js'
import { type CaddyServer, serveCaddyfile } from './caddy-server.js'

const caddyfile = join(root, 'deploy/caddy/Caddyfile')

const validate = (name: string): { readonly status: number | null; readonly stderr: string } =>
  spawnSync('caddy', ['validate', '--adapter', 'caddyfile', '--config', caddyfile], {
    env: { ...process.env, KRONIKA_NAME: name },
    encoding: 'utf8',
  })

/** Paths that a careless proxy would resolve, cut or pass to another listener. */
const tricks = [
  '/v1/api/../../metrics',
  '/v1/api/%2e%2e/%2e%2e/metrics',
  '/v1/api/..%2f..%2fmetrics',
  '/v1/api/%252e%252e/%252e%252e/metrics',
  '/v1/api\\..\\..\\metrics',
  '/v1/api;/../../metrics',
  '//metrics',
  '/./metrics',
  '/metrics/../v1/api/health',
  '/metrics?/v1/api/health',
  '/v1/apimetrics',
]

const portOf = (url: string): number => Number(new URL(url).port)

/** The stream of events as it comes. */
interface EventStream {
  readonly answer: IncomingMessage
  readonly text: () => string
}

const openEvents = (port: number, token: string): Promise<EventStream> =>
  new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}` }
    const req = request(
      { host: '127.0.0.1', port, path: '/v1/api/events', headers, agent: false },
      answer => {
        let text = ''
        answer.on('data', (part: Buffer) => {
          text += part.toString('utf8')
        })
        answer.on('error', reject)
        resolve({ answer, text: () => text })
      },
    )
    req.on('error', reject)
    req.end()
  })

describe('the Caddyfile', () => {
  before(function () {
    if (!hasTool('caddy')) this.skip()
  })

  it('is valid for a public name', () => {
    const { status, stderr } = validate('kronika.example.org')
    equal(status, 0, stderr)
    ok(stderr.includes('automatic HTTP->HTTPS redirects'), stderr)
  })

  describe('in front of a host', () => {
    let host: BuiltHost
    let caddy: CaddyServer
    let port: number
    before(async () => {
      host = await startBuilt({ files: { '.svc/format.json': '{"format": 2}\n' } })
      port = await findFreePort()
      caddy = await serveCaddyfile(readFileSync(caddyfile, 'utf8'), port, {
        KRONIKA_NAME: `http://127.0.0.1:${port}`,
        KRONIKA_PORT: String(portOf(host.daemon.ready.url)),
      })
    })
    after(async () => {
      await caddy.stop()
      await host.stop()
    })

    it('publishes the rows of the host, with its own headers', async () => {
      const { status, headers, json } = await askTarget(port, '/v1/api/health')
      equal(status, 200)
      equal(jsonField(json, 'status'), 'ok')
      equal(headers['x-content-type-options'], 'nosniff')
      ok(String(headers['strict-transport-security']).startsWith('max-age='))
      equal(headers['server'], undefined)
    })

    it('answers 404 everywhere else, with no byte of the host', async () => {
      // The operations listener has them, so that the 404 is caddy's.
      for (const path of ['/metrics', '/livez', '/readyz'])
        equal((await askTarget(portOf(host.daemon.ready.ops), path)).status, 200, path)
      for (const path of ['/metrics', '/livez', '/readyz', '/', '/v1/api', '/reference/routes.html']) {
        const { status, text } = await askTarget(port, path)
        deepEqual([path, status, text], [path, 404, ''])
      }
    })

    it('resolves no path that tricks it to something else', async () => {
      for (const path of tricks) {
        const { status, text } = await askTarget(port, path, { token: host.daemon.token })
        deepEqual([path, status], [path, 404])
        ok(text === '' || jsonField(JSON.parse(text), 'error') === 'RouteNotFound', `${path}: ${text}`)
      }
    })

    it('passes an escaped slash of a name on', async () => {
      const path = '/v1/api/entities/Zamek%2FWie%C5%BCa'
      const { status, json } = await askTarget(port, path, { token: host.daemon.token })
      equal(status, 404)
      equal(jsonField(json, 'error'), 'EntityNotFound')
    })

    it('answers nothing under another name', async () => {
      const reply = await askTarget(port, '/v1/api/health', { headers: { Host: 'other.example' } })
      equal(reply.text, '')
    })

    it('leaves the refusal of a large body to the host', async () => {
      const ask = { method: 'POST', token: host.daemon.token }
      const body = JSON.stringify({ name: 'x'.repeat(1024 * 1024) })
      const refused = await askTarget(port, '/v1/api/entities', { ...ask, body })
      equal(refused.status, 413)
      equal(jsonField(refused.json, 'error'), 'BodyTooLarge')
    })

    it('shows an event while the stream is open, and its end to the host', async () => {
      const { token } = host.daemon
      const stream = await openEvents(port, token)
      try {
        const streams = (): Promise<number> => host.metric('svc_sse_clients')
        await eventually(streams, count => count === 1)
        const body = JSON.stringify({ name: 'Karczma', type: 'Lokacja' })
        equal((await askTarget(port, '/v1/api/entities', { method: 'POST', body, token })).status, 201)
        await eventually(
          () => Promise.resolve(stream.text()),
          text => text.includes('event: write:committed'),
        )
        equal(stream.answer.complete, false)
        stream.answer.destroy()
        await eventually(streams, count => count === 0)
      } finally {
        stream.answer.destroy()
      }
    })
  })
})
