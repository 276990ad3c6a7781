import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { isLeft } from 'fp-ts/lib/Either.js'
import { errorOf, httpStatusOf, refuse } from '#protocol/refusal.js'
import { whenReady } from '#src/kernel/time/when-ready.js'
import { loopWork, noteConnection } from '#src/kernel/work-scheduler.js'
import { openMemo } from '../answers/memo.js'
import { arrivalOf } from '../checks/arrival.js'
import { rememberTargets, servedRowOf } from '../checks/query.js'
import { requestRecord } from '../records/request-record.js'
import type { FrontOptions, Pipeline } from '../routing/call.js'
import { type Outcome, refuseRequest } from '../routing/handler.js'
import { bindHandlers, matcherOf } from '../routing/matcher.js'
import { type Passage, runPipeline, turnKeyOf } from '../routing/pipeline.js'
import { openReadPlaces } from '../routing/read-admission.js'
import { type EventStreams, openEventStreams, streamLimits } from './event-stream.js'
import { type Outgoing, openOutgoing } from './outgoing.js'
import { answerOperations } from './pages.js'
import {
  type AnswerWatch,
  type Listener,
  type ListenerOptions,
  listen,
  openAnswerWatch,
  patience,
  type Unanswered,
} from './server.js'
import { parserAnswer, type ReplyTarget, refuseAnswerLate, refuseInternal, writeOutcome } from './write.js'

export interface Front {
  readonly apiPort: number
  readonly opsPort: number
  /** Stops both listeners; running answers have `drainMs` to end. */
  readonly close: (drainMs: number) => Promise<void>
}

/** Starts the API listener and the operations listener (D5); rejects when a port is not available. */
export const startFront = async (front: FrontOptions, ports: FrontPortNumbers): Promise<Front> => {
  const served = bindHandlers(front.table, front.handlers)
  const pipeline: Pipeline = {
    front,
    targetOf: rememberTargets(matcherOf(served, prefix)),
    memo: openMemo(front.memoBytesMax),
    places: openReadPlaces(),
  }
  const streams = openEventStreams({
    feed: front.node.events,
    clock: front.clock,
    opened: front.meter.streamOpened,
    ended: front.meter.streamEnded,
    unsent: front.meter.streamsUnsent,
    log: front.log,
  })
  const sending = openOutgoing(front.clock.monotonicMs)
  const unanswered = openAnswerWatch(front.clock.monotonicMs, (front.patience ?? patience).sweepEveryMs)
  let closing = false
  const state: State = {
    pipeline,
    streams,
    outgoing: sending,
    unanswered,
    requestId: requestIds(front.node.bootId),
    isClosing: () => closing,
  }
  const [api, ops] = await listenBoth(
    handleOf(state, null),
    handleOf(state, answerOperations(front)),
    ports,
    front,
  )
  return {
    apiPort: api.port,
    opsPort: ops.port,
    close: async drainMs => {
      closing = true
      streams.close()
      await Promise.all([api.close(drainMs), ops.close(drainMs)])
      sending.close()
      unanswered.close()
    },
  }
}

/**
 * Why a port cannot be listened on; null when it can. Checked before anything starts, because the front would
 * otherwise be restarted repeatedly while another program has the port.
 */
export const portTrouble = async (host: string, port: number): Promise<string | null> => {
  const probe = createServer()
  try {
    probe.listen({ host, port, exclusive: true })
    await once(probe, 'listening')
    probe.close()
    await once(probe, 'close')
    return null
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return `port ${port} of ${host} ${reasons.get(Reflect.get(error, 'code')) ?? `fails: ${error.message}`}`
  }
}

/**
 * Ports to bind; 0 lets the system choose. Both listeners bind only to loopback, whatever the configuration
 * says.
 */
interface FrontPortNumbers {
  readonly apiPort: number
  readonly opsPort: number
}

const loopback = '127.0.0.1'
const prefix = '/v1/api'

/** Methods that become labels of a metric; any other is `other`. */
const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])

interface State {
  readonly pipeline: Pipeline
  readonly streams: EventStreams
  readonly outgoing: Outgoing
  readonly unanswered: AnswerWatch
  /** Unique within the boot. */
  readonly requestId: () => string
  readonly isClosing: () => boolean
}

type Handle = ListenerOptions['handle']

const routeOf = (passage: Passage | null): string => servedRowOf(passage?.target ?? null)?.row.path ?? 'none'

const reportFault = ({ front }: Pipeline, passage: Passage, error: unknown): void => {
  const { requestId } = passage
  const route = routeOf(passage)
  front.meter.handlerError(route)
  front.log({
    event: 'http.fault',
    requestId,
    route,
    reason: error instanceof Error ? error.message : String(error),
    stack: error instanceof Error ? (error.stack ?? null) : null,
  })
}

/** Returns what `work` returns; where it throws or rejects, what `onFault` makes of the error. */
const catchFault = <A>(
  work: () => A | Promise<A>,
  onFault: (error: unknown) => A | Promise<A>,
): A | Promise<A> => {
  try {
    const done = work()
    return done instanceof Promise ? done.catch(onFault) : done
  } catch (error) {
    return onFault(error)
  }
}

/** The end of a request. A fault anywhere in the pipeline becomes a 500 (F9). */
const outcomeOf = (pipeline: Pipeline, passage: Passage): Outcome | Promise<Outcome> =>
  catchFault(
    () => runPipeline(pipeline, passage),
    error => {
      reportFault(pipeline, passage, error)
      return refuseRequest(refuseInternal(passage.requestId))
    },
  )

const { clientsMax, bearerMax } = streamLimits
const noStream =
  `This host serves at most ${clientsMax} event streams, ${bearerMax} for one token, and has no room for another. ` +
  'Close one of yours, or try again later.'

/** Refuses a request that this host has not answered in its time; the answer is dropped when it comes. */
const refuseLate = (state: State, passage: Passage, reply: ReplyTarget, withinMs: number): void => {
  passage.isLate = true
  const outcome = refuseRequest(refuseAnswerLate(withinMs))
  recordRefusal(state.pipeline, passage, outcome)
  void writeOutcome(reply, state.pipeline.memo, outcome)
}

/** Logs an answer that came after its request was refused as late. */
const dropAnswer = ({ pipeline: { front } }: State, passage: Passage, outcome: Outcome): void =>
  front.log({
    event: 'http.answer_dropped',
    requestId: passage.requestId,
    route: routeOf(passage),
    outcome: outcome._tag === 'Refused' ? errorOf(outcome.refusal._tag) : outcome._tag,
    commit: 'commit' in outcome ? outcome.commit : null,
  })

const sendOutcome = (state: State, reply: ReplyTarget, outcome: Outcome): void | Promise<void> => {
  const { memo } = state.pipeline
  if (outcome._tag !== 'Follow') return writeOutcome(reply, memo, outcome)
  if (state.streams.open(reply, outcome)) return
  state.pipeline.front.meter.rejected('shed', 'none')
  return writeOutcome(reply, memo, refuseRequest(refuse('Overloaded', noStream)))
}

/** Counts a refused request, and logs each refusal that this host could not answer at the moment. */
const recordRefusal = (
  { front }: Pipeline,
  passage: Passage,
  { refusal, reason }: Extract<Outcome, { _tag: 'Refused' }>,
): void => {
  const { requestId, req } = passage
  if (reason !== null) front.meter.rejected(reason, routeOf(passage))
  if (httpStatusOf(refusal) !== 503) return
  front.log({
    event: 'http.unavailable',
    requestId,
    method: methods.has(req.method ?? '') ? (req.method ?? '') : 'other',
    route: routeOf(passage),
    error: errorOf(refusal._tag),
    reason: refusal.detail,
  })
}

const answerRequest = (state: State, passage: Passage, reply: ReplyTarget): void | Promise<void> =>
  whenReady(outcomeOf(state.pipeline, passage), outcome => {
    if (passage.isLate) return dropAnswer(state, passage, outcome)
    if (outcome._tag === 'Refused') recordRefusal(state.pipeline, passage, outcome)
    return catchFault(
      () => sendOutcome(state, reply, outcome),
      error => {
        reportFault(state.pipeline, passage, error)
        if (!reply.res.headersSent)
          return writeOutcome(reply, state.pipeline.memo, refuseRequest(refuseInternal(passage.requestId)))
        reply.res.destroy()
      },
    )
  })

/**
 * Answers a request of the API: one of a prompt row at once, any other when its credentials have their turn. So a
 * flood of requests delays neither the former nor, for long, the requests with other credentials. A request that was
 * refused as late before its turn is not begun.
 */
const answerInTurn = (state: State, passage: Passage, reply: ReplyTarget): void | Promise<void> => {
  const { front, targetOf } = state.pipeline
  const { req, arrival } = passage
  passage.target = targetOf(req.method ?? '', arrival.path)
  if (servedRowOf(passage.target)?.row.prompt === true)
    return answerRequest(state, passage, { ...reply, prompt: true })
  return loopWork.enter(
    () => turnKeyOf(front, passage),
    () => (passage.isLate ? undefined : answerRequest(state, passage, reply)),
  )
}

/** Counts a request, and at its end the route that matched it. Refuses it where its answer comes too late. */
const followRequest = (
  state: State,
  req: IncomingMessage,
  reply: ReplyTarget,
  passage: Passage | null,
): void => {
  const { front } = state.pipeline
  const { res, requestId } = reply
  const startedMs = front.clock.monotonicMs()
  const withinMs = (): number =>
    servedRowOf(passage?.target ?? null)?.row.answerWithinMs ?? (front.patience ?? patience).withinMs
  const giveUp = (): void => {
    if (passage !== null) refuseLate(state, passage, reply, withinMs())
  }
  const waiting: Unanswered = { req, res, sinceMs: startedMs, withinMs, giveUp, place: null }
  if (passage !== null) state.unanswered.add(waiting)
  front.meter.began()
  res.once('close', () => {
    state.unanswered.remove(waiting)
    const method = methods.has(req.method ?? '') ? (req.method ?? '') : 'other'
    const ms = front.clock.monotonicMs() - startedMs
    front.meter.ended(method, routeOf(passage), res.statusCode, ms / 1000)
    front.recordRequest(requestRecord(requestId, method, passage, res.statusCode, ms))
  })
}

/**
 * Answers the listener's own paths before the pipeline; returns false to leave the request to the pipeline.
 */
type AnswerBefore = (
  path: string,
  method: string,
  accept: string | undefined,
  reply: ReplyTarget,
) => Promise<boolean>

/**
 * Whether the socket has used up its requests. Node only announces the close then, and answers 503 to a
 * client that continues; `Connection: close`, set here, really closes it.
 */
const isLastOnSocket = (res: ServerResponse): boolean =>
  Reflect.get(res, 'maxRequestsOnConnectionReached') === true

const handleOf =
  (state: State, before: AnswerBefore | null): Handle =>
  (req, res) => {
    const { pipeline } = state
    const requestId = state.requestId()
    const accepted = req.headers['accept-encoding']
    const acceptEncoding = typeof accepted === 'string' ? accepted : undefined
    const last = state.isClosing() || isLastOnSocket(res)
    const reply: ReplyTarget = { res, requestId, acceptEncoding, last, outgoing: state.outgoing }
    const arrival = arrivalOf(req, pipeline.front.published)
    if (isLeft(arrival)) {
      followRequest(state, req, reply, null)
      return writeOutcome(reply, pipeline.memo, refuseRequest(arrival.left))
    }
    const passage: Passage = {
      requestId,
      req,
      res,
      arrival: arrival.right,
      target: null,
      caller: null,
      isLate: false,
    }
    followRequest(state, req, reply, passage)
    return before === null
      ? answerInTurn(state, passage, reply)
      : before(arrival.right.path, req.method ?? '', req.headers.accept, reply).then(done =>
          done ? undefined : answerRequest(state, passage, reply),
        )
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
  ports: FrontPortNumbers,
  { connections, meter }: FrontOptions,
): Promise<readonly [Listener, Listener]> => {
  const listening = (handle: Handle, port: number, connectionsMax: number | undefined): Promise<Listener> =>
    listen({
      ...{
        host: loopback,
        port,
        handle,
        parserAnswer,
        accepted: noteConnection,
        dropped: () => meter.rejected('connections', 'none'),
      },
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

const reasons: ReadonlyMap<unknown, string> = new Map([
  ['EADDRINUSE', 'is taken by another process'],
  ['EACCES', 'needs rights that this user does not have'],
])
