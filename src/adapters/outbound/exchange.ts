import { setMaxListeners } from 'node:events'
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps, Agent as TlsAgent } from 'node:https'
import { isIP, type Socket } from 'node:net'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { OutboundFailure } from '#protocol/host/outbound.js'
import { processMeter } from '#src/adapters/metrics/process-meter.js'
import { failureOfCodes } from '#src/domain/outbound/outbound.js'

export interface OutgoingRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as UTF-8 with its length; null for a request without a body. */
  readonly body: string | null
  /**
   * Whether the other side may take the request twice. Such a request uses a connection that an earlier one left
   * open, and is sent once more if the other side had closed it. Any other request opens a connection of its own.
   */
  readonly isRepeatable?: boolean
  /**
   * Opens the connection, where the caller has looked the host up itself; without it the name is looked up here. Such a
   * caller follows redirects.
   */
  readonly connect?: () => Socket
}

export interface ExchangeLimits {
  /** From the name look-up to the last byte. */
  readonly timeoutMs: number
  readonly bytesMax: number
  /** Cuts a longer body off at `bytesMax`; without it the body is then `too_large`. */
  readonly cutsBody?: true
  /** The statuses whose body is read; that of any other is an empty text. */
  readonly readsBody: (status: number) => boolean
  /** Called when the status has come, before the body is read. */
  readonly onAnswering?: (() => void) | undefined
}

/** The answer, of which the body may be unreadable while the status is known; or why there is none. */
export type Exchanged =
  | {
      readonly _tag: 'Answer'
      readonly status: number
      readonly headers: IncomingHttpHeaders
      readonly body: Either<OutboundFailure, Buffer>
    }
  | { readonly _tag: 'NoAnswer'; readonly reason: OutboundFailure }

/**
 * Sends one request to an address that `safeAddress` accepts, and reads its answer. Never rejects, and ends
 * within its limits.
 */
export const exchange = async (...given: Parameters<typeof exchangeOnce>): Promise<Exchanged> => {
  const exchanged = await exchangeOnce(...given)
  const [, { connect }] = given
  countBlocked(exchanged, connect !== undefined)
  return exchanged
}

/** The codes of a failed connection: one for each address that was tried. */
export const codesOf = (error: unknown): ReadonlyArray<string> => {
  if (error instanceof AggregateError) return error.errors.flatMap(codesOf)
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? [error.code] : []
}

/**
 * Joins each 1,024 pieces: a Buffer takes far more memory than the byte that a slow peer sends in one. Each byte
 * is copied twice at most.
 */
export const gatherBytes = (): GatheredBytes => {
  const blocks: Array<Buffer> = []
  let pieces: Array<Buffer> = []
  let length = 0
  return {
    add: piece => {
      length += piece.length
      pieces.push(piece)
      if (pieces.length < piecesMax) return
      blocks.push(Buffer.concat(pieces))
      pieces = []
    },
    lengthBytes: () => length,
    held: () => blocks.length + pieces.length,
    joined: () => Buffer.concat([...blocks, ...pieces]),
  }
}

/** The most interim answers (1xx) before the answer; each costs work, and a server may send them without end. */
const interimMax = 16

/** The code is like those of Node's parser. */
const errorOfAnswer = (what: string): Error => Object.assign(new Error(what), { code: 'HPE_UNEXPECTED' })

/** Agents that open a connection for each request; `agent: false` would make one of them for each request too. */
const closing = {
  plain: new Agent({ keepAlive: false }),
  tls: new TlsAgent({ keepAlive: false, maxCachedSessions: 0 }),
}

/** An idle connection closes after 4 s, since many servers close theirs after 5 s. It keeps no process alive. */
const idle = { keepAlive: true, maxFreeSockets: 16, timeout: 4_000 } as const
const keeping = { plain: new Agent(idle), tls: new TlsAgent({ ...idle, maxCachedSessions: 0 }) }

/** One for all requests: each of them ends with a `close`, and a new error would record its stack each time. */
const closedUnanswered = new Error('closed without an answer')

/** The error codes of a connection that the other side had closed before the request. */
const closedCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE'])

/**
 * Sends a request: no redirects, no compression. `onResolved` is called when the name of the host has an address; a
 * host that is an address, or whose connection is open, needs none.
 */
const sendOver = (
  agents: typeof keeping,
  address: URL,
  request: OutgoingRequest,
  signal: AbortSignal,
  onResolved: () => void,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { method, headers, body, connect } = request
    const isTls = address.protocol === 'https:'
    const [send, agent] = isTls ? [overHttps, agents.tls] : [overHttp, agents.plain]
    const bytes = body === null ? null : Buffer.from(body, 'utf8')
    const all = bytes === null ? headers : { ...headers, 'content-length': String(bytes.length) }
    let interim = 0
    // Without an agent Node knows no ordinary port, and would add `:80` to the Host of a request over TLS.
    const over =
      connect === undefined ? { agent } : { createConnection: connect, defaultPort: isTls ? 443 : 80 }
    const sent = send(address, { ...over, method, signal, headers: all }, resolve)
      .on('socket', socket => {
        if (socket.connecting) socket.on('lookup', error => error instanceof Error || onResolved())
        else onResolved()
      })
      .on('information', () => {
        interim += 1
        if (interim > interimMax) sent.destroy(errorOfAnswer('too many interim answers'))
      })
      .on('upgrade', (_answer, socket) => {
        socket.destroy()
        reject(errorOfAnswer('an answer that switches protocols'))
      })
      .on('error', error => {
        const wasClosed = sent.reusedSocket && codesOf(error).some(code => closedCodes.has(code))
        if (wasClosed && !signal.aborted) resolve(sendOver(closing, address, request, signal, onResolved))
        else reject(error)
      })
      // Node closes some requests without an error. After an answer or an error this does nothing.
      .on('close', () => reject(closedUnanswered))
    sent.end(bytes ?? undefined)
  })

/** Counts an answer that a limit of this host cut off, or a redirect that this host does not follow. */
const countBlocked = (exchanged: Exchanged, followsRedirects: boolean): void => {
  const isAnswer = exchanged._tag === 'Answer'
  if (
    !followsRedirects &&
    isAnswer &&
    exchanged.status >= 300 &&
    exchanged.status < 400 &&
    exchanged.status !== 304
  )
    processMeter.count('svc_outbound_blocked_total', { reason: 'redirect' })
  const failure = isAnswer ? (isLeft(exchanged.body) ? exchanged.body.left : null) : exchanged.reason
  if (failure === 'too_large') processMeter.count('svc_outbound_blocked_total', { reason: 'size' })
  if (failure === 'timeout') processMeter.count('svc_outbound_blocked_total', { reason: 'time' })
}

const readBody = async (
  answer: IncomingMessage,
  { bytesMax, cutsBody }: Pick<ExchangeLimits, 'bytesMax' | 'cutsBody'>,
): Promise<Either<OutboundFailure, Buffer>> => {
  if (answer.headers['content-encoding'] !== undefined) return left('malformed')
  const bytes = gatherBytes()
  const incoming: AsyncIterable<Buffer> = answer
  for await (const piece of incoming) {
    bytes.add(piece)
    if (bytes.lengthBytes() > bytesMax)
      return cutsBody === true ? right(bytes.joined().subarray(0, bytesMax)) : left('too_large')
  }
  return answer.complete ? right(bytes.joined()) : left('unreachable')
}

const exchangeOnce = async (
  address: URL,
  request: OutgoingRequest,
  { timeoutMs, readsBody, onAnswering = () => undefined, ...size }: ExchangeLimits,
  signal: AbortSignal,
): Promise<Exchanged> => {
  const ending = new AbortController()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    ending.abort()
  }, timeoutMs)
  const onAbort = (): void => ending.abort()
  // One signal may end many requests at once; Node would warn of more than ten.
  setMaxListeners(0, signal)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  let hasLeft = request.connect !== undefined || isIP(address.hostname.replace(/^\[|\]$/g, '')) !== 0
  const failureOf = (error: unknown): OutboundFailure => {
    if (isLate) return hasLeft ? 'timeout' : 'not_sent'
    return failureOfCodes(codesOf(error))
  }
  try {
    const agents = request.isRepeatable === true ? keeping : closing
    const answer = await sendOver(agents, address, request, ending.signal, () => {
      hasLeft = true
    })
    const { statusCode: status = 0, headers } = answer
    onAnswering()
    try {
      const body = readsBody(status) ? await readBody(answer, size) : right(Buffer.alloc(0))
      return { _tag: 'Answer', status, headers, body }
    } catch (error) {
      return { _tag: 'Answer', status, headers, body: left(failureOf(error)) }
    } finally {
      answer.destroy()
    }
  } catch (error) {
    return { _tag: 'NoAnswer', reason: failureOf(error) }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

/** Pieces that are kept apart before they are joined. */
const piecesMax = 1_024

/** The bytes of a body that comes in pieces. */
interface GatheredBytes {
  readonly add: (piece: Buffer) => void
  readonly lengthBytes: () => number
  /** Buffers that are held now. */
  readonly held: () => number
  readonly joined: () => Buffer
}
