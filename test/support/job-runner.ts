import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import {
  type JobRunnerMessage,
  type JobRunnerPorts,
  jobRunner,
  type PerformTask,
  type StartOutcome,
} from '#actors/job-runner.js'
import type { EventKind, EventPayload } from '#protocol/host/events.js'
import type { JobEnvelope, JobKind } from '#protocol/host/jobs.js'
import { openRuntimeDb } from '#src/adapters/runtime/runtime-db.js'
import { ask, type ReplyTo, tell } from '#src/kernel/actor/ref.js'
import type { JobStore, TellProgress } from '#src/ports/records.js'
import type { JobTask } from '#src/writing/command.js'
import { kernelWorld } from '#test/support/kernel/kernel-world.js'
import { testCommand } from './commands.js'
import { noMeter } from './no-meter.js'

/** The work of a job of a test. Its task is a write whose body is the place of the work in a list. */
export type TestWork = (progress: TellProgress, signal: AbortSignal) => ReturnType<PerformTask>

/** A job runner on virtual time over a real runtime database. */
export interface RunnerWorld {
  readonly store: JobStore
  readonly events: ReadonlyArray<readonly [EventKind, EventPayload<EventKind>]>
  readonly faults: ReadonlyArray<string>
  /** While `refuses`, every write of the store throws like on a full disk. */
  readonly disk: { refuses: boolean }
  readonly interrupted: () => number
  /** The tasks that were performed, in order. */
  readonly tasks: ReadonlyArray<JobTask>
  readonly started: (work: TestWork, kind?: JobKind) => Promise<JobEnvelope>
  /** The detail of the refusal of a start. */
  readonly refusal: (work: TestWork, kind?: JobKind) => Promise<string>
  /** Makes the runner fault and restart. */
  readonly crash: () => Promise<void>
  readonly drain: () => Promise<ReadonlyArray<unknown>>
  readonly settle: () => Promise<void>
  readonly advance: (ms: number) => Promise<void>
  readonly dispose: () => void
}

/** The store over a disk that may refuse. */
const overDisk = (store: JobStore, disk: { readonly refuses: boolean }): JobStore => {
  const guarded = <A>(work: () => A): A => {
    if (disk.refuses) throw new Error('SQLITE_FULL')
    return work()
  }
  return {
    ...store,
    queue: (...given) => guarded(() => store.queue(...given)),
    begin: (...given) => guarded(() => store.begin(...given)),
    end: (...given) => guarded(() => store.end(...given)),
  }
}

/** Performs each task by the work that was asked for with it. */
const openWorks = () => {
  const works: Array<TestWork> = []
  const tasks: Array<JobTask> = []
  const perform: PerformTask = (task, _jobId, progress, signal) => {
    tasks.push(task)
    const work = task._tag === 'Write' ? works[Number(task.command.body)] : undefined
    if (work === undefined) throw new Error('a task that no test asked for')
    return work(progress, signal)
  }
  return {
    tasks,
    perform,
    taskOf: (work: TestWork): JobTask => ({
      _tag: 'Write',
      command: testCommand({ body: works.push(work) - 1 }),
    }),
  }
}

export const runnerWorld = async (): Promise<RunnerWorld> => {
  const state = mkdtempSync(join(tmpdir(), 'job-runner-'))
  const opened = openRuntimeDb(state)
  if (isLeft(opened)) throw new Error(opened.left.reason)
  const { jobs, close } = opened.right
  const world = kernelWorld()
  const disk = { refuses: false }
  const { tasks, perform, taskOf } = openWorks()
  const events: Array<readonly [EventKind, EventPayload<EventKind>]> = []
  const faults: Array<string> = []
  let interrupted = 0
  let poison = false
  const store = overDisk(jobs, disk)
  const ports: JobRunnerPorts = {
    store: {
      ...store,
      forget: (...given) => {
        if (poison) throw new Error('a planted fault')
        return store.forget(...given)
      },
    },
    perform,
    clock: world.clock,
    publish: (kind, payload) => void events.push([kind, payload]),
    meter: {
      ...noMeter,
      count: name => void (interrupted += name === 'svc_jobs_interrupted_total' ? 1 : 0),
    },
    failed: what => {
      faults.push(what)
      if (!poison) return
      poison = false
      throw new Error('a fault where nothing catches it')
    },
  }
  const { ref, tree } = await world.alone(jobRunner, ports)
  const start = async (work: TestWork, kind: JobKind = 'import'): Promise<StartOutcome> => {
    const task = taskOf(work)
    const asked = (replyTo: ReplyTo<StartOutcome>): JobRunnerMessage => ({
      _tag: 'Start',
      kind,
      task,
      replyTo,
    })
    const answer = ask<JobRunnerMessage, StartOutcome>(ref, asked, 1_000)
    await world.settle()
    const outcome = await answer
    if (isLeft(outcome)) throw new Error(`the runner did not answer: ${outcome.left._tag}`)
    return outcome.right
  }
  return {
    store: jobs,
    events,
    faults,
    tasks,
    disk,
    interrupted: () => interrupted,
    started: async (work, kind) => {
      const outcome = await start(work, kind)
      if (isLeft(outcome)) throw new Error(outcome.left.detail)
      return outcome.right
    },
    refusal: async (work, kind) => {
      const outcome = await start(work, kind)
      return isLeft(outcome) ? outcome.left.detail : 'started'
    },
    crash: async () => {
      poison = true
      tell(ref, { _tag: 'Sweep' })
      await world.settle()
      await world.advance(5_000)
    },
    drain: () => tree.drain(1_000),
    settle: world.settle,
    advance: world.advance,
    dispose: () => {
      close()
      rmSync(state, { recursive: true })
    },
  }
}
