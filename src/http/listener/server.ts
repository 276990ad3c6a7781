import { type IncomingMessage, Server as NodeServer, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import restify from 'restify'
import type { RefusalTag } from '#protocol/refusal.js'

declare module 'restify' {
  interface Server {
    /**
     * Handlers that run before restify handles a request; a handler that returns false keeps restify from
     * doing so.
     */
    first(...handlers: ReadonlyArray<(req: IncomingMessage, res: ServerResponse) => boolean>): Server
  }
}

/** The setup of a listener. `handle` answers every request, and neither throws nor rejects. */
export interface ListenerOptions {
  readonly host: string
  /** 0 lets the system choose. */
  readonly port: number
  readonly handle: (req: IncomingMessage, res: ServerResponse) => void | Promise<void>
  /**
   * The complete answer, as text, to a request without an `IncomingMessage`, because the parser rejected it.
   */
  readonly parserAnswer: (tag: RefusalTag) => string
  /** `listenerLimits` when absent. */
  readonly limits?: ListenerLimits
  /**
   * The most connections at once; a further one is closed as soon as it is accepted. If absent, the system's
   * limit.
   */
  readonly connectionsMax?: number
  /** Called for every connection that was accepted, also one that is closed because of the limit. */
  readonly accepted?: () => void
  /** Called for every connection that was closed because of the limit. */
  readonly dropped?: () => void
}

/** How long a listener waits, and how often it checks, in milliseconds. */
export interface ListenerLimits {
  readonly headersTimeoutMs: number
  readonly requestTimeoutMs: number
  readonly connectionsCheckingMs: number
  readonly idleSocketMs: number
}

export interface Listener {
  readonly port: number
  /** Accepts no new connection, lets answers end for at most `drainMs`, then destroys the rest. */
  readonly close: (drainMs: number) => Promise<void>
}

/** Limits against slow clients (RELIABILITY). */
export const listenerLimits: ListenerLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  connectionsCheckingMs: 5000,
  idleSocketMs: 120_000,
}
/** How long a request may go without an answer, and how often that is checked, in milliseconds. */
export interface Patience {
  /** For a row that names no time of its own (`answerWithinMs`). */
  readonly withinMs: number
  readonly sweepEveryMs: number
}

/** The answer leaves before the idle socket is closed. */
export const patience: Patience = { withinMs: 110_000, sweepEveryMs: 5_000 }

/** A request that has no answer yet. */
export interface Unanswered {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly sinceMs: number
  readonly withinMs: () => number
  /** Answers the request in place of what it waits for. */
  readonly giveUp: () => void
  /** Where the watch has it; null where it has not. */
  place: number | null
}

/** Ends the wait of requests that the host does not answer in time. */
export interface AnswerWatch {
  readonly add: (one: Unanswered) => void
  readonly remove: (one: Unanswered) => void
  readonly close: () => void
}

const requestsPerSocketMax = 1000

const nothing = (): void => undefined

/** restify logs to stdout by itself; the pipeline logs everything that matters. */
const silent = {
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
}

const tagOf = (code: string): RefusalTag => {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return 'HeadersTooLarge'
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 'BodyTooLarge'
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'RequestTimeout'
    default:
      return 'RequestMalformed'
  }
}

const codeOf = (error: Error): string => {
  const code: unknown = Reflect.get(error, 'code')
  return typeof code === 'string' ? code : ''
}

/** Answers a request that the parser rejected, unless an answer is being sent, and closes the connection. */
const onClientError =
  (setup: ListenerOptions) =>
  (error: Error, socket: Socket): void => {
    const under: unknown = Reflect.get(socket, '_httpMessage')
    const isAnswered =
      typeof under === 'object' && under !== null && Reflect.get(under, 'headersSent') === true
    if (socket.writable && codeOf(error) !== 'ECONNRESET' && !isAnswered)
      socket.end(setup.parserAnswer(tagOf(codeOf(error))))
    else socket.destroy()
  }

/**
 * Applies the limits of a listener (RELIABILITY, slow clients), and replaces answers that node would send
 * without a JSON body.
 */
export const applyLimits = (server: NodeServer, setup: ListenerOptions): void => {
  const limits = setup.limits ?? listenerLimits
  // No header is dropped: the header block is limited by its bytes.
  server.maxHeadersCount = 0
  server.headersTimeout = limits.headersTimeoutMs
  server.requestTimeout = limits.requestTimeoutMs
  server.maxRequestsPerSocket = requestsPerSocketMax
  server.timeout = limits.idleSocketMs
  if (setup.connectionsMax !== undefined) server.maxConnections = setup.connectionsMax
  if (setup.dropped !== undefined) server.on('drop', setup.dropped)
  if (setup.accepted !== undefined)
    for (const event of ['connection', 'drop']) server.on(event, setup.accepted)
  // Options of createServer that restify does not pass on; node reads both from the server when it needs
  // them.
  Reflect.set(server, 'requireHostHeader', false)
  Reflect.set(server, 'connectionsCheckingInterval', limits.connectionsCheckingMs)
  // restify would take the socket of any `Upgrade` and leave it open; without its listener node handles the
  // request normally.
  server.removeAllListeners('upgrade')
  server.on('clientError', onClientError(setup))
  server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => guardRequest(setup, req, res))
}

/** Opens a watch that looks every `sweepEveryMs`. `monotonicMs` is the clock of `sinceMs`. */
export const openAnswerWatch = (monotonicMs: () => number, sweepEveryMs: number): AnswerWatch => {
  // A list in no order: a Set that takes and drops requests leaves old tables, which keep the requests until a full
  // collection.
  const waiting: Array<Unanswered> = []
  // One timer for all requests, and none while there are none: a request costs no timer of its own.
  let timer: NodeJS.Timeout | null = null

  const remove = (one: Unanswered): void => {
    const last = one.place === null ? undefined : waiting.pop()
    if (last === undefined || one.place === null) return
    if (last !== one) waiting[one.place] = last
    last.place = one.place
    one.place = null
  }
  const sweep = (): void => {
    const nowMs = monotonicMs()
    for (const one of [...waiting]) {
      const { req, res } = one
      if (res.headersSent) remove(one)
      else if (nowMs - one.sinceMs >= one.withinMs()) {
        remove(one)
        one.giveUp()
      } else {
        // A row may have more time than an idle socket has, whose time therefore begins again.
        req.socket.setTimeout(req.socket.timeout ?? 0)
      }
    }
  }
  const arm = (): void => {
    timer = setTimeout(() => {
      timer = null
      sweep()
      if (waiting.length > 0) arm()
    }, sweepEveryMs).unref()
  }
  return {
    add: one => {
      one.place = waiting.push(one) - 1
      if (timer === null) arm()
    },
    remove,
    close: () => {
      if (timer !== null) clearTimeout(timer)
      timer = null
    },
  }
}

const portOf = (server: NodeServer): number => {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const closeServer = (server: NodeServer, drainMs: number): Promise<void> =>
  new Promise(resolve => {
    const cut = setTimeout(() => server.closeAllConnections(), drainMs)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })

/** Passes a request on. A fault ends its connection and nothing else. */
const guardRequest = (setup: ListenerOptions, req: IncomingMessage, res: ServerResponse): void => {
  res.on('error', nothing)
  try {
    const handled = setup.handle(req, res)
    if (handled instanceof Promise) handled.catch(() => res.destroy())
  } catch {
    res.destroy()
  }
}

/** Starts one listener; rejects when the port is not available. */
export const listen = (setup: ListenerOptions): Promise<Listener> => {
  const options: restify.ServerOptions = { name: '' }
  Reflect.set(options, 'log', silent)
  const front = restify.createServer(options)
  // restify's routing never runs: it parses Host and target in ways that can end the process (ADR 1006).
  front.first((req, res) => {
    guardRequest(setup, req, res)
    return false
  })
  const { server } = front
  if (!(server instanceof NodeServer)) throw new Error('restify made no plain HTTP server')
  applyLimits(server, setup)
  return new Promise((resolve, reject) => {
    // restify forwards each socket error and throws it when nothing listens; after the start such an error is
    // harmless.
    front.on('error', reject)
    front.listen(setup.port, setup.host, () =>
      resolve({ port: portOf(server), close: drainMs => closeServer(server, drainMs) }),
    )
  })
}
