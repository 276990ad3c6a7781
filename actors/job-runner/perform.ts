import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import { absurd } from 'fp-ts/lib/function.js'
import { type JobKind, type JobLane, laneOf } from '#protocol/jobs.js'
import type { Refusal } from '#protocol/refusal.js'
import type { Perform } from '#src/kernel/actor/actor.js'
import type { Clock } from '#src/ports/clock.js'
import type { JobOutcome, JobStore, Meter, Publish, TellProgress } from '#src/ports/records.js'
import type { JobTask } from '#src/writing/command.js'
import type { JobEnded, JobRunnerMessage } from './messages.js'
import { isTold, type ToldProgress } from './throttle.js'

export type Effect =
  | { readonly _tag: 'Queue'; readonly id: string; readonly kind: JobKind }
  | { readonly _tag: 'Launch'; readonly id: string; readonly kind: JobKind; readonly task: JobTask }
  | { readonly _tag: 'End'; readonly id: string; readonly outcome: JobOutcome }
  | { readonly _tag: 'Settle'; readonly known: ReadonlyArray<string>; readonly outcome: JobOutcome }
  /** Waits for the running work: while the runner drains, its mailbox accepts no messages from others. */
  | { readonly _tag: 'Await'; readonly id: string; readonly kind: JobKind }
  | { readonly _tag: 'Forget' }

/**
 * Does the work of a job. Resolves to what the request would have answered; a throw ends the job with
 * `Internal`. It may report progress at any rate: the published progress is throttled. The signal aborts when
 * the job's runner was restarted; the work then begins nothing new.
 */
export type PerformTask = (
  task: JobTask,
  progress: TellProgress,
  signal: AbortSignal,
) => Promise<Either<Refusal, unknown>>

export interface JobRunnerPorts {
  readonly store: JobStore
  readonly clock: Clock
  readonly publish: Publish
  readonly meter: Meter
  readonly perform: PerformTask
  /** The work that runs or ran last in each lane: the promise of its end. */
  readonly works: Map<JobLane, Promise<JobEnded>>
  /**
   * Sends the end of a job's work to the runner; resolves when the mailbox accepted it, or the runner is
   * gone.
   */
  readonly ended: (message: JobEnded) => Promise<void>
  /** Reports a failure, for the log; `error` is never shown to a caller. */
  readonly failed: (what: string, jobId: string | null, error: unknown) => void
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
    const ran = await ports.perform(task, progressOf(ports, id, kind), signal)
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

/** Starts the work and returns at once: its end comes as a message. */
const launch = (
  ports: JobRunnerPorts,
  effect: Extract<Effect, { _tag: 'Launch' }>,
  signal: AbortSignal,
): ReadonlyArray<JobRunnerMessage> => {
  const { id, kind } = effect
  try {
    if (!ports.store.begin(id, ports.clock.nowMs())) return [{ _tag: 'EndRecorded', id }]
  } catch (error) {
    ports.failed('job_not_recorded', id, error)
    const detail = 'The job could not be recorded. Check the disk of this host, then try again.'
    return [{ _tag: 'Ended', id, outcome: { _tag: 'Failed', error: 'Overloaded', detail } }]
  }
  ports.publish('job:started', { jobId: id, kind })
  const work = outcomeOf(ports, effect, signal).then((outcome): JobEnded => ({ _tag: 'Ended', id, outcome }))
  // The entry stays after the work ends: a drain that begins meanwhile refuses the message, and then looks
  // here.
  ports.works.set(laneOf(kind), work)
  void work.then(ports.ended)
  return []
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
  for (const { id, kind } of ports.store.unfinished().filter(job => !known.includes(job.id))) {
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
    case 'Await': {
      const work = ports.works.get(laneOf(effect.kind))
      return work === undefined ? [] : [await work]
    }
    case 'Forget':
      tryRecord(ports, null, () => void store.forget(clock.nowMs() - retentionMs, endedMax))
      return []
    default:
      return absurd(effect)
  }
}

export const performJobEffect =
  (ports: JobRunnerPorts): Perform<Effect, JobRunnerMessage> =>
  (effect, signal) =>
    carryOut(ports, effect, signal)
