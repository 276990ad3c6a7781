import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { isFollowed, isSingle, type JobEnvelope, JobKind, laneOf } from '#protocol/host/jobs.js'
import { type Refusal, type RefusalOf, refuse } from '#protocol/refusal.js'
import { type Actor, after, beside, end, ready, reply, type Step, stay } from '#src/kernel/actor/actor.js'
import { type ReplyTo, replyTo } from '#src/kernel/actor/ref.js'
import type { Clock } from '#src/ports/clock.js'
import type { JobOutcome, JobProgress, JobStore, Meter, Publish, TellProgress } from '#src/ports/records.js'
import { JobTask } from '#src/writing/command.js'

/** The envelope of a job that is on disk, or why there is no job. */
export type StartOutcome = Either<RefusalOf<'Overloaded' | 'JobRunning'>, JobEnvelope>

const Outcome = t.union([
  t.type({ _tag: t.literal('Completed'), json: t.string }),
  t.type({ _tag: t.literal('Failed'), error: t.string, detail: t.string }),
])

/** To self: the work of a job has ended. */
const JobEnded = t.type({ _tag: t.literal('Ended'), id: t.string, outcome: Outcome })

/** Creates a job of this task; answered when it is on disk. */
const Start = t.type({
  _tag: t.literal('Start'),
  kind: JobKind,
  task: JobTask,
  replyTo: replyTo<StartOutcome>(),
})
type Start = t.TypeOf<typeof Start>

/** To self: a job is on disk as queued, or the disk refused it. */
const Queued = t.type({ _tag: t.literal('Queued'), id: t.string })
const QueueFailed = t.type({ _tag: t.literal('QueueFailed'), id: t.string })

/** To self: the end of a job is on disk, or the disk refused it. */
const EndRecorded = t.type({ _tag: t.literal('EndRecorded'), id: t.string })
const EndFailed = t.type({ _tag: t.literal('EndFailed'), id: t.string, outcome: Outcome })
/** To self: the jobs that the previous runner left are settled, or the disk refused. */
const Settled = t.type({ _tag: t.literal('Settled') })
const SettleFailed = t.type({ _tag: t.literal('SettleFailed') })
const SettleAgain = t.type({ _tag: t.literal('SettleAgain') })
/** To self: it is time to delete old jobs. */
const Sweep = t.type({ _tag: t.literal('Sweep') })
const Drain = t.type({ _tag: t.literal('Drain') })

export const JobRunnerMessage = t.union(
  [
    Start,
    Queued,
    QueueFailed,
    JobEnded,
    EndRecorded,
    EndFailed,
    Settled,
    SettleFailed,
    SettleAgain,
    Sweep,
    Drain,
  ],
  'JobRunnerMessage',
)
export type JobRunnerMessage = t.TypeOf<typeof JobRunnerMessage>

/** The most jobs that may wait behind the running ones. */
export const queueMax = 32

/** The shortest time between two progress events of one job. */
export const progressMs = 500

const retryMs = 1_000
const sweepMs = 3_600_000

const interrupted: JobOutcome = {
  _tag: 'Failed',
  error: 'interrupted',
  detail: 'The daemon stopped before the job ended. Start the job again.',
}

const tooMany = `${queueMax} jobs are waiting, the most that this host queues. Try again when some have ended.`

const busy = (detail: string): StartOutcome => left(refuse('Overloaded', detail))

const envelopeOf = (id: string): JobEnvelope => ({
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
      [...effects, beside({ _tag: 'Launch', ...next })],
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
  const same = isSingle(kind) ? findUnended(state, kind) : undefined
  if (same !== undefined) return [state, [reply(replyTo, running(same.id))]]
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

/** A rebuild of an index is not awaited, nor a mass fetch: what is missing is built or fetched when asked again. */
const isAwaited = ({ kind }: Running): boolean => laneOf(kind) === 'writes'

const findUnended = (state: State, kind: JobKind): Running | undefined =>
  [...state.running, ...state.queue, ...state.asked].find(one => one.kind === kind)

const running = (job: string): StartOutcome =>
  left(refuse('JobRunning', `The job ${job} does this already. Wait for its end.`, { job }))

const onDrain = (state: State): Turn => {
  const left = [...state.queue, ...state.running.filter(one => !isAwaited(one))]
  const ends = left.map(({ id }): Effect => ({ _tag: 'End', id, outcome: interrupted }))
  return startNextJob(
    { ...state, phase: 'draining', queue: [], running: state.running.filter(isAwaited) },
    ends,
  )
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
      // A rebuild that a drain does not wait for may still end later: its job has ended already.
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

const retentionMs = 7 * 86_400_000
const endedMax = 1_000

const progressOf = (ports: JobRunnerPorts, jobId: string, kind: JobKind): TellProgress => {
  let last: ToldProgress | null = null
  return progress => {
    const atMs = ports.clock.monotonicMs()
    if (!isTold(last, progress, atMs)) return
    last = { atMs, progress }
    ports.publish('job:progress', { jobId, kind, ...progress })
  }
}

const outcomeOf = async (
  ports: JobRunnerPorts,
  { id, kind, task }: Extract<Effect, { _tag: 'Launch' }>,
  signal: AbortSignal,
): Promise<JobOutcome> => {
  try {
    const ran = await ports.perform(task, id, progressOf(ports, id, kind), signal)
    return isLeft(ran)
      ? { _tag: 'Failed', error: ran.left._tag, detail: ran.left.detail }
      : { _tag: 'Completed', json: JSON.stringify(ran.right ?? null) }
  } catch (error) {
    ports.failed('job_faulted', id, error)
    return {
      _tag: 'Failed',
      error: 'Internal',
      detail: 'A fault of the daemon ended the job. The log has it under the job id.',
    }
  }
}

/** Does the work of a job; a job that has ended meanwhile is not begun. */
const launch = async (
  ports: JobRunnerPorts,
  effect: Extract<Effect, { _tag: 'Launch' }>,
  signal: AbortSignal,
): Promise<ReadonlyArray<JobRunnerMessage>> => {
  const { id, kind } = effect
  try {
    if (!ports.store.begin(id, ports.clock.nowMs())) return [{ _tag: 'EndRecorded', id }]
  } catch (error) {
    ports.failed('job_not_recorded', id, error)
    const detail = 'The job could not be recorded. Check the disk of this host, then try again.'
    return [{ _tag: 'Ended', id, outcome: { _tag: 'Failed', error: 'Overloaded', detail } }]
  }
  ports.publish('job:started', { jobId: id, kind })
  return [{ _tag: 'Ended', id, outcome: await outcomeOf(ports, effect, signal) }]
}

/** Records an end and publishes it once: a job that has ended already keeps its outcome. */
const finish = (ports: JobRunnerPorts, id: string, outcome: JobOutcome): void => {
  const atMs = ports.clock.nowMs()
  if (!ports.store.end(id, outcome, atMs)) return
  const job = ports.store.find(id)
  if (job === null) return
  const { kind, error, startedMs } = job
  const status = outcome._tag === 'Completed' ? 'completed' : 'failed'
  if (startedMs !== null)
    ports.meter.observe(
      'svc_job_duration_seconds',
      { kind, result: status },
      Math.max(0, atMs - startedMs) / 1000,
    )
  ports.publish('job:ended', { jobId: id, kind, status, error })
}

const settle = (ports: JobRunnerPorts, known: ReadonlyArray<string>, outcome: JobOutcome): void => {
  const left = ports.store.unfinished().filter(job => !known.includes(job.id) && !isFollowed(job.kind))
  for (const { id, kind } of left) {
    ports.meter.count('svc_jobs_interrupted_total', { kind })
    finish(ports, id, outcome)
  }
}

/** Whether the disk accepted it; a refusal is an outcome, never a fault of the runner. */
const tryRecord = (ports: JobRunnerPorts, id: string | null, work: () => void): boolean => {
  try {
    work()
    return true
  } catch (error) {
    ports.failed('job_not_recorded', id, error)
    return false
  }
}

const carryOut = async (
  ports: JobRunnerPorts,
  effect: Effect,
  signal: AbortSignal,
): Promise<ReadonlyArray<JobRunnerMessage>> => {
  const { store, clock } = ports
  switch (effect._tag) {
    case 'Queue': {
      const { id, kind } = effect
      const taken = tryRecord(ports, id, () => store.queue(id, kind, clock.nowMs()))
      return [taken ? { _tag: 'Queued', id } : { _tag: 'QueueFailed', id }]
    }
    case 'Launch':
      return launch(ports, effect, signal)
    case 'End': {
      const { id, outcome } = effect
      const taken = tryRecord(ports, id, () => finish(ports, id, outcome))
      return [taken ? { _tag: 'EndRecorded', id } : { _tag: 'EndFailed', id, outcome }]
    }
    case 'Settle': {
      const taken = tryRecord(ports, null, () => settle(ports, effect.known, effect.outcome))
      return [taken ? { _tag: 'Settled' } : { _tag: 'SettleFailed' }]
    }
    case 'Forget':
      tryRecord(ports, null, () => void store.forget(clock.nowMs() - retentionMs, endedMax))
      return []
    default:
      return absurd(effect)
  }
}

/**
 * Whether to publish progress: the first, then at most one in `progressMs`; the last (`done` = `total`)
 * always, once.
 */
const isTold = (last: ToldProgress | null, progress: JobProgress, monotonicMs: number): boolean => {
  if (last === null) return true
  const isEnd = progress.done >= progress.total
  const wasEnd = last.progress.done >= last.progress.total
  return monotonicMs - last.atMs >= progressMs || (isEnd && !wasEnd)
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
  perform: ports => (effect, signal) => carryOut(ports, effect, signal),
  drain: { _tag: 'Drain' },
}

/**
 * Does the work of a job. Resolves to what the request would have answered; a throw ends the job with
 * `Internal`. It may report progress at any rate: the published progress is throttled. The signal aborts when
 * the job's runner was restarted; the work then begins nothing new.
 */
export type PerformTask = (
  task: JobTask,
  jobId: string,
  progress: TellProgress,
  signal: AbortSignal,
) => Promise<Either<Refusal, unknown>>

export interface JobRunnerPorts {
  readonly store: JobStore
  readonly clock: Clock
  readonly publish: Publish
  readonly meter: Meter
  readonly perform: PerformTask
  /** Reports a failure, for the log; `error` is never shown to a caller. */
  readonly failed: (what: string, jobId: string | null, error: unknown) => void
}

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

interface State {
  readonly phase: 'open' | 'draining'
  /** Jobs on their way to disk; their askers have no answer yet. */
  readonly asked: ReadonlyArray<Asked>
  readonly queue: ReadonlyArray<Waiting>
  /** The running jobs, each until its end is on disk: at most one of each lane. */
  readonly running: ReadonlyArray<Running>
}

type Message = JobRunnerMessage
type Turn = Step<State, Effect, Message>
type Effects = Step<State, Effect, Message>[1]

type Effect =
  | { readonly _tag: 'Queue'; readonly id: string; readonly kind: JobKind }
  | { readonly _tag: 'Launch'; readonly id: string; readonly kind: JobKind; readonly task: JobTask }
  | { readonly _tag: 'End'; readonly id: string; readonly outcome: JobOutcome }
  | { readonly _tag: 'Settle'; readonly known: ReadonlyArray<string>; readonly outcome: JobOutcome }
  | { readonly _tag: 'Forget' }

/** The progress of a job that was last published. */
interface ToldProgress {
  readonly atMs: number
  readonly progress: JobProgress
}
