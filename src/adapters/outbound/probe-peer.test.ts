import { deepEqual, equal, ok } from 'node:assert/strict'
import {
  createServer,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { afterEach, describe, it } from 'mocha'
import { realClock } from '#src/kernel/time/clock.js'
import { cardBytesMax, probePeer } from './probe-peer.js'

const town = 'Deyja'
const bad = { _tag: 'Failed', kind: 'fleet-status', why: 'bad_card' }
const card = {
  town,
  role: 'replica',
  nowUtc: '2026-01-01T00:00:00.000Z',
  bootUtc: '2026-01-01T00:00:00.000Z',
  bootId: 'b1',
  uptimeSeconds: 1,
  imageDigest: '',
  schemaVersion: 2,
  syncAgeMinutes: null,
  version: '0.5.0',
}

/** In two statements: the front's listener patches `writeHead`, which then returns nothing. */
const refuseWith = (res: ServerResponse, status: number, headers: OutgoingHttpHeaders = {}): void => {
  res.writeHead(status, headers)
  res.end()
}

describe('a probe of a peer (SECURITY 4.5)', () => {
  let servers: ReadonlyArray<Server> = []
  const serve = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener)
    servers = [...servers, server]
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return urlOf(server)
  }
  const urlOf = (server: { readonly address: () => unknown }): string => {
    const address = server.address()
    if (typeof address !== 'object' || address === null || !('port' in address)) throw new Error('no port')
    return `http://127.0.0.1:${String(address.port)}/v1/api`
  }
  const probe = (url: string, timeoutMs = 120_000) =>
    probePeer({ town, url, timeoutMs }, realClock.monotonicMs, new AbortController().signal)

  afterEach(async () => {
    for (const server of servers) {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    }
    servers = []
  })

  it('reads the card, and asks for nothing else', async () => {
    const asked: Array<string | undefined> = []
    const url = await serve((req, res) => {
      asked.push(req.url)
      res.end(JSON.stringify({ ...card, peers: ['more'] }))
    })
    deepEqual(await probe(url), { _tag: 'Answered', kind: 'fleet-status', card })
    deepEqual(asked, ['/v1/api/fleet/status'])
  })

  it('asks for the health of a host without the card row', async () => {
    const url = await serve((req, res) => {
      if (req.url === '/v1/api/health') res.end('{"status": "ok", "version": "0.4.0"}')
      else refuseWith(res, 404)
    })
    deepEqual(await probe(url), { _tag: 'Answered', kind: 'health', card: null })
  })

  it('fails where the health is none either', async () => {
    const url = await serve((_, res) => refuseWith(res, 404))
    deepEqual(await probe(url), { ...bad, kind: 'health' })
  })

  it('reads no more than 64 KiB of a giant card', async () => {
    let written = 0
    const url = await serve((_, res) => {
      const chunk = Buffer.alloc(16_384, ' ')
      const more = (): void => {
        while (!res.destroyed) {
          written += chunk.length
          if (!res.write(chunk)) return void res.once('drain', more)
        }
      }
      more()
    })
    deepEqual(await probe(url), bad)
    ok(written >= cardBytesMax)
  })

  it('ends a card that drips', async () => {
    const url = await serve((_, res) => {
      res.write('{')
      const drip = setInterval(() => res.write(' '), 20)
      res.on('close', () => clearInterval(drip))
    })
    deepEqual(await probe(url, 300), { ...bad, why: 'timeout' })
  })

  for (const [name, text] of [
    ['NaN', JSON.stringify(card).replace('"uptimeSeconds":1', '"uptimeSeconds":NaN')],
    ['another town', JSON.stringify({ ...card, town: 'Erathia' })],
    ['__proto__', JSON.stringify(card).replace('{', '{"__proto__":{},')],
  ] as const)
    it(`refuses a card with ${name}`, async () => {
      deepEqual(await probe(await serve((_, res) => void res.end(text))), bad)
    })

  it('follows no redirect to this machine', async () => {
    let hits = 0
    const target = await serve((_, res) => {
      hits += 1
      res.end(JSON.stringify(card))
    })
    const url = await serve((_, res) => refuseWith(res, 302, { location: target }))
    deepEqual(await probe(url), bad)
    equal(hits, 0)
  })

  it('says that a closed port refuses, and that a name without an address was not asked', async () => {
    const closed = createTcpServer()
    await new Promise<void>(resolve => closed.listen(0, '127.0.0.1', resolve))
    const url = urlOf(closed)
    await new Promise(resolve => closed.close(resolve))
    deepEqual(await probe(url), { ...bad, why: 'refused' })
    deepEqual(await probe('http://peer.example/v1/api'), { _tag: 'NotSent' })
  })

  it('tells a fault of TLS from a refusal', async () => {
    const url = await serve((_, res) => void res.end(JSON.stringify(card)))
    deepEqual(await probe(url.replace('http:', 'https:')), { ...bad, why: 'tls' })
  })
})
