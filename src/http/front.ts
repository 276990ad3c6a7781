import type { IncomingMessage, ServerResponse } from 'node:http'
import { isLeft } from 'fp-ts/lib/Either.js'
import { errorOf, refuse, statusOf } from '#protocol/refusal.js'
import { arrivalOf } from './arrival.js'
import type { FrontDeps } from './deps.js'
import { type EventStreams, eventStreams } from './event-stream.js'
import { matcherOf, type Served, servedOf } from './matcher.js'
import { memo } from './memo.js'
import { operations } from './operations.js'
import { type Outcome, refused } from './outcome.js'
import { type Outgoing, outgoing } from './outgoing.js'
import { type Passage, type Pipeline, pass } from './pipeline.js'
import { requestRecord } from './request-record.js'
import { type Listener, listen } from './server.js'
import { internal, parserAnswer, type Reply, write } from './write.js'

/** Ports to bind; 0 lets the system choose. Both listeners bind loopback alone, whatever the configuration says. */
export interface FrontPorts {
  readonly apiPort: number
  readonly opsPort: number
}

export interface Front {
  readonly apiPort: number
  readonly opsPort: number
  /** Stops both listeners; answers under way have `drainMs`. */
  readonly close: (drainMs: number) => Promise<void>
}

const loopback = '127.0.0.1'
const prefix = '/v1/api'

/** Methods that become labels of a metric; any other is `other`. */
const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])

interface State {
  readonly pipeline: Pipeline
  readonly streams: EventStreams
  readonly outgoing: Outgoing
  /** Unique within the boot. */
  readonly requestId: () => string
  readonly isClosing: () => boolean
}

type Handle = (req: IncomingMessage, res: ServerResponse) => Promise<void>

const reportFault = ({ deps }: Pipeline, requestId: string, served: Served | null, error: unknown): void => {
  const route = served?.row.path ?? 'none'
  deps.meter.handlerError(route)
  deps.log({
    event: 'http.fault',
    requestId,
    route,
    reason: error instanceof Error ? error.message : String(error),
    stack: error instanceof Error ? (error.stack ?? null) : null,
  })
}

/** The end of a request; a fault anywhere on the way is a 500, never more (F9). */
const outcomeOf = async (pipeline: Pipeline, passage: Passage): Promise<Outcome> => {
  try {
    return await pass(pipeline, passage)
  } catch (error) {
    reportFault(pipeline, passage.requestId, passage.served, error)
    return refused(internal(passage.requestId))
  }
}

const answered = async (state: State, reply: Reply, outcome: Outcome): Promise<void> => {
  const { memo } = state.pipeline
  if (outcome._tag !== 'Follow') return write(reply, memo, outcome)
  if (state.streams.open(reply, outcome)) return
  state.pipeline.deps.meter.rejected('shed')
  await write(reply, memo, refused(refuse('Overloaded', 'No more streams are taken; try again in a while.')))
}

/** Counts a request that was turned away, and logs each that this host could not answer now. */
const tellRefused = (
  { deps }: Pipeline,
  { requestId, req, served }: Passage,
  { refusal, reason }: Extract<Outcome, { _tag: 'Refused' }>,
): void => {
  if (reason !== null) deps.meter.rejected(reason)
  if (statusOf(refusal) !== 503) return
  deps.log({
    event: 'http.unavailable',
    requestId,
    method: methods.has(req.method ?? '') ? (req.method ?? '') : 'other',
    route: served?.row.path ?? 'none',
    error: errorOf(refusal._tag),
    reason: refusal.detail,
  })
}

const arrived = async (state: State, passage: Passage, reply: Reply): Promise<void> => {
  const outcome = await outcomeOf(state.pipeline, passage)
  if (outcome._tag === 'Refused') tellRefused(state.pipeline, passage, outcome)
  try {
    await answered(state, reply, outcome)
  } catch (error) {
    reportFault(state.pipeline, passage.requestId, passage.served, error)
    if (reply.res.headersSent) reply.res.destroy()
    else await write(reply, state.pipeline.memo, refused(internal(passage.requestId)))
  }
}

/** Counts a request, and its end with the route that was found for it. */
const metered = (
  { deps }: Pipeline,
  req: IncomingMessage,
  { res, requestId }: Reply,
  passage: Passage | null,
): void => {
  const startedMs = deps.clock.monotonicMs()
  deps.meter.began()
  res.once('close', () => {
    const method = methods.has(req.method ?? '') ? (req.method ?? '') : 'other'
    const route = passage?.served?.row.path ?? 'none'
    const ms = deps.clock.monotonicMs() - startedMs
    deps.meter.ended(method, route, res.statusCode, ms / 1000)
    deps.requested(requestRecord(requestId, method, passage, res.statusCode, ms))
  })
}

/** Answers paths of its own before the pipeline; false leaves the request to it. */
type Before = (path: string, method: string, reply: Reply) => Promise<boolean>

/**
 * Whether the socket has had its share of requests. Node only announces the close then, and answers 503 to a client
 * that goes on; with `Connection: close` set here it really closes.
 */
const isLastOnSocket = (res: ServerResponse): boolean =>
  Reflect.get(res, 'maxRequestsOnConnectionReached') === true

const handleOf =
  (state: State, before: Before | null): Handle =>
  async (req, res) => {
    const { pipeline } = state
    const requestId = state.requestId()
    const accepted = req.headers['accept-encoding']
    const acceptEncoding = typeof accepted === 'string' ? accepted : undefined
    const last = state.isClosing() || isLastOnSocket(res)
    const reply: Reply = { res, requestId, acceptEncoding, last, outgoing: state.outgoing }
    const arrival = arrivalOf(req, pipeline.deps.published)
    if (isLeft(arrival)) {
      metered(pipeline, req, reply, null)
      await write(reply, pipeline.memo, refused(arrival.left))
      return
    }
    const passage: Passage = { requestId, req, arrival: arrival.right, served: null, caller: null }
    metered(pipeline, req, reply, passage)
    if (before !== null && (await before(arrival.right.path, req.method ?? '', reply))) return
    await arrived(state, passage, reply)
  }

const requestIds = (bootId: string): (() => string) => {
  const boot = bootId.slice(0, 8)
  let count = 0
  return () => {
    count += 1
    return `${boot}-${count.toString(36)}`
  }
}

const listenBoth = async (
  api: Handle,
  ops: Handle,
  ports: FrontPorts,
  { connections, meter }: FrontDeps,
): Promise<readonly [Listener, Listener]> => {
  const listening = (handle: Handle, port: number, connectionsMax: number | undefined): Promise<Listener> =>
    listen({
      ...{ host: loopback, port, handle, parserAnswer, dropped: () => meter.rejected('connections') },
      ...(connectionsMax === undefined ? {} : { connectionsMax }),
    })
  const first = await listening(api, ports.apiPort, connections?.api)
  try {
    return [first, await listening(ops, ports.opsPort, connections?.ops)]
  } catch (error) {
    await first.close(0)
    throw error
  }
}

/** Starts the API listener and the operations listener (D5); rejects when a port cannot be had. */
export const startFront = async (deps: FrontDeps, ports: FrontPorts): Promise<Front> => {
  const served = servedOf(deps.table, deps.handlers)
  const pipeline: Pipeline = { deps, match: matcherOf(served, prefix), memo: memo(deps.memoBytesMax) }
  const streams = eventStreams({
    feed: deps.node.events,
    clock: deps.clock,
    opened: deps.meter.streamOpened,
    ended: deps.meter.streamEnded,
    unsent: deps.meter.streamsUnsent,
    log: deps.log,
  })
  const sending = outgoing(deps.clock.monotonicMs)
  let closing = false
  const state: State = {
    pipeline,
    streams,
    outgoing: sending,
    requestId: requestIds(deps.node.bootId),
    isClosing: () => closing,
  }
  const [api, ops] = await listenBoth(handleOf(state, null), handleOf(state, operations(deps)), ports, deps)
  return {
    apiPort: api.port,
    opsPort: ops.port,
    close: async drainMs => {
      closing = true
      streams.close()
      await Promise.all([api.close(drainMs), ops.close(drainMs)])
      sending.close()
    },
  }
}
