import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { onExchange } from '#test/support/secrets/secret-traffic.js'
import { secrets } from '#test/support/secrets/secrets.js'
import { observe } from './observations.js'

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** As received, still compressed. */
  readonly bytes: Buffer
  readonly text: string
  readonly json: unknown
}

export interface Ask {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | ReadonlyArray<string>>>
  readonly body?: string | Buffer
  /** Bearer token; null sends none. If absent, the client's own. */
  readonly token?: string | null
}

const jsonOf = (text: string): unknown => {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

const textOf = (headers: IncomingHttpHeaders, bytes: Buffer): string =>
  (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8')

const isStream = (headers: IncomingHttpHeaders): boolean => headers['content-type'] === 'text/event-stream'

const quietMs = 50

/**
 * A stream starts at once and has no end: the answer is what has come when nothing more comes for a moment.
 */
const leaveWhenQuiet = (res: IncomingMessage): void => {
  let timer: NodeJS.Timeout | undefined
  res.on('data', () => {
    clearTimeout(timer)
    timer = setTimeout(() => res.destroy(), quietMs)
  })
  res.on('close', () => clearTimeout(timer))
}

/** Requests a raw target, without any normalization. */
const send = (port: number, target: string, ask: Ask, token: string | null): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const headers = {
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      // Node does not set a length for a DELETE by itself.
      ...(ask.body === undefined
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(ask.body)) }),
      ...ask.headers,
    }
    const req = request(
      { host: '127.0.0.1', port, path: target, method: ask.method ?? 'GET', headers, agent: false },
      res => {
        const chunks: Array<Buffer> = []
        res.on('data', (chunk: Buffer) => chunks.push(chunk))
        res.on('error', reject)
        const streams = isStream(res.headers)
        if (streams) leaveWhenQuiet(res)
        res.on(streams ? 'close' : 'end', () => {
          const bytes = Buffer.concat(chunks)
          const text = textOf(res.headers, bytes)
          const status = res.statusCode ?? 0
          const method = ask.method ?? 'GET'
          onExchange(secrets, { method, target, token, sent: ask.body, status, text })
          resolve({ status, headers: res.headers, bytes, text, json: jsonOf(text) })
        })
      },
    )
    req.on('error', reject)
    req.end(ask.body)
  })

export interface Client {
  readonly ask: (path: string, ask?: Ask) => Promise<Reply>
}

export interface ClientSetup {
  readonly port: number
  readonly token: string | null
  /** Whether the front serves the closed table; its answers are then checked against the contract. */
  readonly recorded: boolean
}

/** A client of one front; paths are below `/v1/api`. */
export const clientOf = (setup: ClientSetup): Client => ({
  ask: async (path, ask = {}) => {
    const target = `/v1/api${path}`
    const reply = await send(setup.port, target, ask, ask.token === undefined ? setup.token : ask.token)
    const method = ask.method ?? 'GET'
    const body = isStream(reply.headers) ? reply.text : reply.json
    observe({ method, target, status: reply.status, body, closed: setup.recorded })
    return reply
  },
})

/** Requests a target outside the API, such as `/metrics`. */
export const askTarget = async (port: number, target: string, ask: Ask = {}): Promise<Reply> => {
  const reply = await send(port, target, ask, ask.token ?? null)
  const { status, json: body } = reply
  observe({ method: ask.method ?? 'GET', target, status, body, closed: false })
  return reply
}

export interface RawReply {
  /** Everything received until the other side closed. */
  readonly text: string
  readonly statuses: ReadonlyArray<number>
  /** The JSON of the last answer's body. */
  readonly json: unknown
}

/**
 * Writes raw bytes to a socket, and reads until the other side closes or is silent for `quietMs`. That is
 * long: a test that wants the answer soon sends `Connection: close`.
 */
export const rawAsk = (port: number, bytes: string | Buffer, quietMs = 60_000): Promise<RawReply> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Array<Buffer> = []
    const finish = (): void => {
      socket.destroy()
      const text = Buffer.concat(chunks).toString('utf8')
      secrets.told('an answer over a socket', text)
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(found => Number(found[1]))
      const json = jsonOf(text.slice(text.lastIndexOf('\r\n\r\n') + 4))
      observe({ method: 'RAW', target: '', status: statuses.at(-1) ?? 0, body: json, closed: false })
      resolve({ text, statuses, json })
    }
    socket.setTimeout(quietMs, finish)
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', finish)
    socket.on('close', finish)
    socket.write(bytes)
  })
