import { deepEqual, equal } from 'node:assert/strict'
import {
  createServer,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { left, right } from 'fp-ts/lib/Either.js'
import { afterEach, describe, it } from 'mocha'
import { outboundBlocks } from '#protocol/host/outbound.js'
import { attachMeter } from '#src/adapters/metrics/process-meter.js'
import { prometheus } from '#src/adapters/metrics/prometheus.js'
import { sampleSum } from '#test/support/metric-text.js'
import { fetchText } from './fetch-text.js'

const limits = { timeoutMs: 120_000, bytesMax: 1_024 }

/** In two statements: the front's listener patches `writeHead`, which then returns nothing. */
const writeHeaders = (
  res: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders = {},
): ServerResponse => {
  res.writeHead(status, headers)
  return res
}

describe('a fetch of a text', () => {
  let servers: ReadonlyArray<Server> = []
  const serve = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener)
    servers = [...servers, server]
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${portOf(server)}/keys`
  }
  const portOf = (server: Server): number => {
    const address: AddressInfo | string | null = server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }
  const fetched = (url: string) => fetchText(url, limits, new AbortController().signal)

  afterEach(async () => {
    for (const server of servers) {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    }
    servers = []
  })

  it('answers the body, asks for nothing compressed and keeps no connection', async () => {
    let headers: object = {}
    const url = await serve((req, res) => {
      headers = req.headers
      res.end('żółć')
    })
    deepEqual(await fetched(url), right('żółć'))
    deepEqual(headers, { accept: '*/*', host: new URL(url).host, connection: 'close' })
  })

  it('follows no redirect', async () => {
    let elsewhere = 0
    const target = await serve((_, res) => {
      elsewhere += 1
      res.end('keys')
    })
    const url = await serve((_, res) => writeHeaders(res, 302, { location: target }).end())
    deepEqual(await fetched(url), left('status'))
    equal(elsewhere, 0)
  })

  it('takes as many bytes as allowed and not one more', async () => {
    const of = (size: number) => serve((_, res) => res.end('a'.repeat(size)))
    deepEqual(await fetched(await of(1_024)), right('a'.repeat(1_024)))
    deepEqual(await fetched(await of(1_025)), left('too_large'))
  })

  it('ends a body that never does, by size and by time', async () => {
    const endless = await serve((_, res) => {
      const more = (): boolean => res.write('a'.repeat(4_096))
      res.on('drain', more)
      more()
    })
    deepEqual(await fetched(endless), left('too_large'))
    const silent = await serve((_, res) => void res.write('a'))
    const fetch = fetchText(silent, { ...limits, timeoutMs: 300 }, new AbortController().signal)
    deepEqual(await fetch, left('timeout'))
  })

  it('names what went wrong: a status, a body cut short, bytes that are no text, compressed ones', async () => {
    deepEqual(await fetched(await serve((_, res) => writeHeaders(res, 404).end('{}'))), left('not_found'))
    deepEqual(await fetched(await serve((_, res) => writeHeaders(res, 500).end('{}'))), left('status'))
    const cut = await serve((_, res) => {
      writeHeaders(res, 200, { 'content-length': '10' }).write('half')
      setTimeout(() => res.destroy(), 20)
    })
    deepEqual(await fetched(cut), left('unreachable'))
    deepEqual(await fetched(await serve((_, res) => res.end(Buffer.from([0xc3])))), left('malformed'))
    const packed = await serve((_, res) => writeHeaders(res, 200, { 'content-encoding': 'gzip' }).end('x'))
    deepEqual(await fetched(packed), left('malformed'))
  })

  it('ends where the server switches protocols, or sends interim answers without end', async () => {
    const reply = (text: string) => serve(({ socket }, _) => void socket.write(text))
    const switched = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'
    deepEqual(await fetched(await reply(switched)), left('malformed'))
    const hint = 'HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n'
    deepEqual(await fetched(await reply(hint.repeat(100))), left('malformed'))
    const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
    deepEqual(await fetched(await reply(`${hint.repeat(3)}${answer}`)), right('ok'))
  })

  it('is refused where no process listens', async () => {
    const url = await serve((_, res) => res.end())
    const [server] = servers
    servers = []
    await new Promise(resolve => server?.close(resolve))
    deepEqual(await fetched(url), left('refused'))
  })

  it('tells an answer that is no TLS, and one that is no HTTP', async () => {
    const plain = await serve((_, res) => res.end())
    deepEqual(await fetched(plain.replace('http:', 'https:')), left('tls'))
    deepEqual(await fetched(await serve((req, _) => req.socket.end('220 mail ready\r\n'))), left('malformed'))
  })

  it('was not sent where its time ends before the name has an address', async () => {
    const url = await serve(() => undefined)
    const named = `http://localhost:${new URL(url).port}/`
    const short = { ...limits, timeoutMs: 0 }
    // Behind this turn come timers before input, and the limit is over by then: it ends before the look-up.
    await new Promise(resolve => setImmediate(resolve))
    const fetching = fetchText(named, short, new AbortController().signal)
    for (const overMs = performance.now() + 5; performance.now() < overMs; );
    deepEqual(await fetching, left('not_sent'))
    deepEqual(await fetchText(url, short, new AbortController().signal), left('timeout'))
  })

  it('goes over plain HTTP to this machine only', async () => {
    const strange = [
      'http://192.0.2.1/keys',
      'http://localhost.example.com/',
      'http://127.0.0.1.nip.example/',
    ]
    for (const url of [...strange, 'ftp://127.0.0.1/', 'file:///etc/hostname', '/keys', ''])
      deepEqual(await fetched(url), left('address'), url)
  })

  it('is taken back by its signal, and then holds no socket', async () => {
    let sockets = 0
    const url = await serve(() => undefined)
    servers[0]?.on('connection', socket => {
      sockets += 1
      socket.on('close', () => {
        sockets -= 1
      })
    })
    const leaving = new AbortController()
    const fetch = fetchText(url, limits, leaving.signal)
    setTimeout(() => leaving.abort(), 50)
    deepEqual(await fetch, left('unreachable'))
    // Another connection, so that the server has seen the end of the first.
    await new Promise<void>(resolve => {
      const probe = connect(Number(new URL(url).port), '127.0.0.1', () => probe.destroy())
      probe.on('close', () => setTimeout(resolve, 50))
    })
    equal(sockets, 0)
  })

  it('counts itself by the limit of this host that blocked it, and no other failure', async () => {
    const metrics = prometheus(() => undefined)
    const detach = attachMeter(metrics.meter)
    const blocked = async (url: string, timeoutMs = limits.timeoutMs): Promise<ReadonlyArray<string>> => {
      const read = async (): Promise<ReadonlyArray<number>> => {
        const text = await metrics.text()
        return outboundBlocks.map(reason => sampleSum(text, 'svc_outbound_blocked_total', { reason }))
      }
      const before = await read()
      await fetchText(url, { ...limits, timeoutMs }, new AbortController().signal)
      const after = await read()
      return outboundBlocks.flatMap((reason, at) =>
        Array.from({ length: (after[at] ?? 0) - (before[at] ?? 0) }, () => reason),
      )
    }
    const status = (code: number) => serve((_, res) => writeHeaders(res, code).end())
    try {
      deepEqual(await blocked('http://192.0.2.1/keys'), ['scheme'])
      for (const code of [301, 302, 307, 308]) deepEqual(await blocked(await status(code)), ['redirect'])
      deepEqual(await blocked(await serve((_, res) => res.end('a'.repeat(1_025)))), ['size'])
      deepEqual(await blocked(await serve(() => undefined), 300), ['time'])
      deepEqual(await blocked(await serve((_, res) => void res.write('a')), 300), ['time'])
      for (const code of [200, 304, 404, 500]) deepEqual(await blocked(await status(code)), [], String(code))
      deepEqual(await blocked(await serve(({ socket }, _) => void socket.destroy())), [])
    } finally {
      detach()
    }
  })
})
