import { left, right } from 'fp-ts/lib/Either.js'
import { absurd } from 'fp-ts/lib/function.js'
import { type JobEnvelope, type JobKind, laneOf } from '#protocol/jobs.js'
import { refuse } from '#protocol/refusal.js'
import {
  type Actor,
  after,
  end,
  type KernelEffect,
  ready,
  reply,
  type Step,
  stay,
} from '#src/kernel/actor/actor.js'
import type { ReplyTo } from '#src/kernel/actor/ref.js'
import type { JobOutcome } from '#src/ports/records.js'
import type { JobTask } from '#src/writing/command.js'
import { JobRunnerMessage, type StartOutcome } from './messages.js'
import { type Effect, type JobRunnerPorts, performJobEffect } from './perform.js'

/**
 * The job runner owns the jobs of this host: it stores a job as queued before it answers, runs one of each lane
 * at a time and records each end once. It recovers from the runtime database: jobs that its predecessor left
 * unfinished end as `interrupted` before it is ready (S26).
 */

interface Waiting {
  readonly id: string
  readonly kind: JobKind
  readonly task: JobTask
}
interface Running {
  readonly id: string
  readonly kind: JobKind
}
interface Asked extends Waiting {
  readonly replyTo: ReplyTo<StartOutcome>
}

export interface State {
  readonly phase: 'open' | 'draining'
  /** Jobs on their way to disk; their askers have no answer yet. */
  readonly asked: ReadonlyArray<Asked>
  readonly queue: ReadonlyArray<Waiting>
  /** The running jobs, each until its end is on disk: at most one of each lane. */
  readonly running: ReadonlyArray<Running>
}

type Message = JobRunnerMessage
type Turn = Step<State, Effect, Message>
type Effects = ReadonlyArray<Effect | KernelEffect<Message>>

/** The most jobs that may wait behind the running ones. */
export const queueMax = 32
const retryMs = 1_000
const sweepMs = 3_600_000

const interrupted: JobOutcome = {
  _tag: 'Failed',
  error: 'interrupted',
  detail: 'The daemon stopped before the job ended. Start the job again.',
}

const tooMany = `${queueMax} jobs are waiting, the most that this host queues. Try again when some have ended.`

const busy = (detail: string): StartOutcome => left(refuse('Overloaded', detail))

export const envelopeOf = (id: string): JobEnvelope => ({
  jobId: id,
  statusUrl: `/v1/api/jobs/${id}`,
  status: 'running',
})

/** Launches the next job of a lane where none runs. While draining, ends the actor once nothing is left. */
const startNextJob = (state: State, effects: Effects): Turn => {
  const isFree = ({ kind }: Waiting): boolean =>
    state.running.every(running => laneOf(running.kind) !== laneOf(kind))
  const next = state.queue.find(isFree)
  if (next !== undefined) {
    const { id, kind } = next
    const queue = state.queue.filter(one => one !== next)
    return [
      { ...state, queue, running: [...state.running, { id, kind }] },
      [...effects, { _tag: 'Launch', ...next }],
    ]
  }
  const isDone = state.phase === 'draining' && state.asked.length === 0 && state.running.length === 0
  return [state, isDone ? [...effects, end] : effects]
}

const isRunning = (state: State, id: string): boolean => state.running.some(one => one.id === id)

const withoutRunning = (state: State, id: string): State => ({
  ...state,
  running: state.running.filter(one => one.id !== id),
})

const without = (state: State, id: string): State => ({
  ...state,
  asked: state.asked.filter(one => one.id !== id),
})

const onStart = (state: State, message: Extract<Message, { _tag: 'Start' }>, id: string): Turn => {
  const { kind, task, replyTo } = message
  if (state.phase === 'draining')
    return [state, [reply(replyTo, busy('This host is stopping. Try again when it serves again.'))]]
  if (state.asked.length + state.queue.length >= queueMax) return [state, [reply(replyTo, busy(tooMany))]]
  return [{ ...state, asked: [...state.asked, { id, kind, task, replyTo }] }, [{ _tag: 'Queue', id, kind }]]
}

const onQueued = (state: State, id: string): Turn => {
  const one = state.asked.find(asked => asked.id === id)
  if (one === undefined) return stay(state)
  const { kind, task, replyTo } = one
  const answer = reply(replyTo, right(envelopeOf(id)))
  const next = without(state, id)
  return state.phase === 'draining'
    ? startNextJob(next, [answer, { _tag: 'End', id, outcome: interrupted }])
    : startNextJob({ ...next, queue: [...next.queue, { id, kind, task }] }, [answer])
}

const onQueueFailed = (state: State, id: string): Turn => {
  const one = state.asked.find(asked => asked.id === id)
  if (one === undefined) return stay(state)
  return startNextJob(without(state, id), [
    reply(one.replyTo, busy('The job could not be recorded. Check the disk of this host.')),
  ])
}

/** A rebuild of an index is not awaited: the next start builds what is missing. */
const isAwaited = ({ kind }: Running): boolean => laneOf(kind) !== 'search'

const onDrain = (state: State): Turn => {
  const left = [...state.queue, ...state.running.filter(one => !isAwaited(one))]
  const ends = left.map(({ id }): Effect => ({ _tag: 'End', id, outcome: interrupted }))
  const running = state.running.filter(isAwaited)
  const awaits = running.map((one): Effect => ({ _tag: 'Await', ...one }))
  return startNextJob({ ...state, phase: 'draining', queue: [], running }, [...ends, ...awaits])
}

const onEndFailed = (state: State, message: Extract<Message, { _tag: 'EndFailed' }>): Turn => {
  // The disk refused the end of the job: the next boot settles it.
  if (state.phase === 'draining') return startNextJob(withoutRunning(state, message.id), [])
  const again: Message = { _tag: 'Ended', id: message.id, outcome: message.outcome }
  return [state, [after(`end ${message.id}`, retryMs, again)]]
}

const listKnownIds = (state: State): ReadonlyArray<string> => [
  ...state.asked.map(one => one.id),
  ...state.queue.map(one => one.id),
  ...state.running.map(one => one.id),
]

const receive = (state: State, message: Message, moment: { readonly id: string }): Turn => {
  switch (message._tag) {
    case 'Start':
      return onStart(state, message, moment.id)
    case 'Queued':
      return onQueued(state, message.id)
    case 'QueueFailed':
      return onQueueFailed(state, message.id)
    case 'Ended':
      // The work of a previous runner may still end later: its job is settled already.
      return isRunning(state, message.id)
        ? [state, [{ _tag: 'End', id: message.id, outcome: message.outcome }]]
        : stay(state)
    case 'EndRecorded':
      return isRunning(state, message.id) ? startNextJob(withoutRunning(state, message.id), []) : stay(state)
    case 'EndFailed':
      return onEndFailed(state, message)
    case 'Settled':
      return [state, [ready, { _tag: 'Forget' }, after('sweep', sweepMs, { _tag: 'Sweep' })]]
    case 'SettleFailed':
      return [state, [ready, after('settle', retryMs, { _tag: 'SettleAgain' })]]
    case 'SettleAgain':
      return [state, [{ _tag: 'Settle', known: listKnownIds(state), outcome: interrupted }]]
    case 'Sweep':
      return [state, [{ _tag: 'Forget' }, after('sweep', sweepMs, { _tag: 'Sweep' })]]
    case 'Drain':
      return onDrain(state)
    default:
      return absurd(message)
  }
}

export const jobRunner: Actor<State, Message, Effect, JobRunnerPorts> = {
  name: 'job-runner',
  codec: JobRunnerMessage,
  mailboxMax: 256,
  initial: () => [
    { phase: 'open', asked: [], queue: [], running: [] },
    [{ _tag: 'Settle', known: [], outcome: interrupted }],
  ],
  receive,
  perform: performJobEffect,
  drain: { _tag: 'Drain' },
}
