import { deepEqual, equal, ok } from 'node:assert/strict'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, it } from 'mocha'
import type { ForgeCall, ForgeOutcome } from '#protocol/host/forge.js'
import { forgeHttp } from '#src/adapters/outbound/forge-http.js'
import { reactTo } from '#src/domain/forge/merge-request.js'
import { secretOf } from '#src/ports/identity.js'

/** SECURITY 4.5: hostile and broken answers of the forge, over a loopback socket. */

const read: ForgeCall = { _tag: 'ReadRequest', iid: 1 }
const token = 'planted-token-of-the-forge'
const megabyte = Buffer.alloc(1 << 20, 32)

const answerWith =
  (status: number, headers: Readonly<Record<string, string>>, body: string | Buffer = ''): RequestListener =>
  (_, response) => {
    response.writeHead(status, headers)
    response.end(body)
  }

const write = (response: ServerResponse, chunk: Buffer): void => {
  if (response.destroyed) return
  if (response.write(chunk)) setImmediate(write, response, chunk)
  else response.once('drain', () => write(response, chunk))
}

describe('SECURITY 4.5 answers of the forge', () => {
  let server: Server | null = null
  const start = async (listener: RequestListener): Promise<string> => {
    const started = createServer(listener)
    server = started
    await new Promise<void>(resolve => started.listen(0, '127.0.0.1', resolve))
    const address = started.address()
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  }
  afterEach(async () => {
    server?.closeAllConnections()
    await new Promise(resolve => (server === null ? resolve(null) : server.close(resolve)))
    server = null
  })
  const ask = async (listener: RequestListener, timeoutMs = 120_000): Promise<ForgeOutcome> => {
    const address = `${await start(listener)}/api/v4/projects/1`
    const port = forgeHttp({ address, token: secretOf(token), userAgent: 'Kronika', nowMs: Date.now })
    return (await port(read, timeoutMs, new AbortController().signal)).outcome
  }

  const garbled: ReadonlyArray<readonly [what: string, listener: RequestListener, timeoutMs?: number]> = [
    ['a body that never ends, in small pieces', (_, response) => write(response, Buffer.from(' ')), 400],
    ['100 MB', (_, response) => write(response, megabyte)],
    [
      'a gzip bomb of 1000:1',
      answerWith(200, { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(50 << 20))),
    ],
    [
      'chunks that are garbage',
      (_, response) =>
        void response.socket?.end(
          'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
        ),
    ],
    [
      'a body cut short',
      (_, response) => void response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{'),
    ],
    ['a page of a proxy', answerWith(200, { 'content-type': 'text/html' }, '<html>')],
    ['the card of another service', answerWith(200, {}, '{"iid": "1", "__proto__": {"state": "merged"}}')],
  ]
  for (const [what, listener, timeoutMs] of garbled)
    it(`4.5 forge | 200 with ${what} | the request is read again`, async () => {
      const outcome = await ask(listener, timeoutMs)
      deepEqual(outcome, { _tag: 'Garbled', isPage: what === 'a page of a proxy' })
      equal(reactTo(read, outcome, 0)._tag, 'Retry')
    })

  it('4.5 forge | no answer at all | a time-out', async () => {
    deepEqual(await ask(() => undefined, 300), { _tag: 'NoAnswer', failure: 'timeout' })
  })

  it('4.5 forge | 404 with an endless body | refused by its status, the body is not read', async () => {
    const endless: RequestListener = (_, response) => {
      response.writeHead(404)
      write(response, megabyte)
    }
    deepEqual(await ask(endless), { _tag: 'Missing' })
  })

  for (const status of [301, 302, 303, 307, 308])
    it(`4.5 forge | a redirect, ${status} | not followed, so no token goes elsewhere`, async () => {
      let elsewhere = 0
      const other = createServer((_, response) => {
        elsewhere += 1
        response.end()
      })
      await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
      const address = other.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      const outcome = await ask(answerWith(status, { location: `http://127.0.0.1:${port}/` }))
      deepEqual([outcome, elsewhere], [{ _tag: 'Refused', status }, 0])
      await new Promise(resolve => other.close(resolve))
    })

  const date = 'Mon, 15 Jun 2026 12:00:00 GMT'
  const waits: ReadonlyArray<
    readonly [what: string, headers: Readonly<Record<string, string>>, waitMs: number]
  > = [
    ['an integer', { 'retry-after': '7' }, 7_000],
    ['a float', { 'retry-after': '1.5' }, 1_500],
    ['a date on the clock of the forge', { date, 'retry-after': 'Mon, 15 Jun 2026 12:00:42 GMT' }, 42_000],
    ['a date that is past', { date, 'retry-after': 'Mon, 15 Jun 2026 11:00:00 GMT' }, 4_000],
    ['no Retry-After', {}, 4_000],
    ['a Retry-After that is no time', { 'retry-after': 'soon' }, 4_000],
    ['the time of a year', { 'retry-after': '31536000' }, 86_400_000],
  ]
  for (const [what, headers, waitMs] of waits)
    for (const status of [429, 503])
      it(`4.5 forge | ${status} with ${what} | the second retry after ${waitMs} ms`, async () => {
        const outcome = await ask(answerWith(status, headers))
        deepEqual(reactTo(read, outcome, 1), { _tag: 'Retry', waitMs })
      })

  for (const status of [401, 403])
    it(`4.5 forge | ${status} | stops, without a retry`, async () => {
      const outcome = await ask(answerWith(status, { 'retry-after': '1' }))
      equal(reactTo(read, outcome, 0)._tag, 'Stop')
      ok(!JSON.stringify(outcome).includes('planted'))
    })
})
