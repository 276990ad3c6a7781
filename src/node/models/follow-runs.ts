import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { instantOf, type ModelSurface } from '#protocol/atoms.js'
import type { ForgeOutcome } from '#protocol/host/forge.js'
import type { JobEnvelope } from '#protocol/host/jobs.js'
import { ModelRun } from '#protocol/models/models.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { tokenFields } from '#src/domain/events/audit-of.js'
import {
  callOf,
  findUnended,
  hasEnded,
  judgePipeline,
  judgeStart,
  type RunStep,
  type RunVerdict,
  unknownStart,
} from '#src/domain/models/runs.js'
import type { ModelStore } from '#src/domain/models/store.js'
import type { ForgePort } from '#src/ports/fleet.js'
import type { Models } from '#src/ports/models.js'
import type { Audit, JobStore, Meter, Publish } from '#src/ports/records.js'
import type { WriteActor } from '#src/writing/command.js'
import type { Log } from '../records/records.js'
import { reasonOf } from '../start/environment.js'
import { orRefused, type StoreDisk } from './store-files.js'

export interface RunSources {
  readonly disk: StoreDisk
  readonly jobs: Pick<JobStore, 'queue' | 'begin' | 'end' | 'unfinished'>
  readonly forge: ForgePort
  /** The branch that runs are started on. */
  readonly runRef: string
  readonly audit: Audit
  readonly publish: Publish
  readonly meter: Pick<Meter, 'observe'>
  readonly log: Pick<Log, 'info' | 'warn'>
  /** Tells the keeper that there is something to do. */
  readonly wake: () => void
  /** Wall time. */
  readonly nowMs: () => number
  /** A globally unique id. */
  readonly newId: () => string
}

/** The training runs of a host. */
export interface NodeRuns {
  readonly start: Models['startRun']
  /**
   * Takes each run that has not ended one step further, where it is due. Returns when the next is due, in ms since
   * 1970; null where none runs. Never rejects.
   */
  readonly follow: (signal: AbortSignal) => Promise<number | null>
}

/** How often the forge is asked for a pipeline that runs, and how long one call may take. */
export const pollMs = 30_000
const callMs = 20_000

/** The part of the store that runs share with promotions. */
interface SharedStore {
  readonly inTurn: <A>(work: () => Promise<A>) => Promise<A>
  readonly reload: () => Promise<ModelStore>
  readonly store: () => ModelStore
  /** Takes a step that is on disk into the store in memory. */
  readonly apply: (step: RunStep) => void
}

export const openRuns = (sources: RunSources, shared: SharedStore): NodeRuns => {
  const { log, nowMs } = sources
  const due = new Map<string, number>()
  const advance = runSteps(sources, shared, due)
  return {
    start: (surface, by, atMs) => startRun(sources, shared, { surface, by, atMs }),
    follow: async signal => {
      const { runs } = shared.store()
      if (runs.trouble !== null) return null
      for (const run of runs.all.filter(one => !hasEnded(one))) {
        if (signal.aborted) break
        try {
          await advance(run, signal)
        } catch (error) {
          log.warn('model_run_unrecorded', { id: run.id, reason: reasonOf(error) })
          due.set(run.id, nowMs() + pollMs)
        }
      }
      await shared.inTurn(() => Promise.resolve(settleJobs(sources, shared.store())))
      const left = shared.store().runs.all.filter(one => !hasEnded(one))
      return left.length === 0 ? null : Math.min(...left.map(({ id }) => due.get(id) ?? nowMs()))
    },
  }
}

/**
 * Takes a run one step further. `due` has when the next call of a run is due; a start of the host makes every call due.
 * Rejects where the disk refuses a step.
 */
const runSteps = (
  { disk, forge, nowMs }: RunSources,
  { inTurn, apply }: SharedStore,
  due: Map<string, number>,
) => {
  /** Steps that were taken and that the disk refused; they are written before anything else of the run. */
  const unwritten = new Map<string, RunStep>()
  const record = (step: RunStep): Promise<void> =>
    inTurn(() => {
      // Before the call there is nothing to remember: the run is still to be begun.
      if (step.step !== 'starting') unwritten.set(step.id, step)
      disk.append('runs', JSON.stringify(step))
      unwritten.delete(step.id)
      apply(step)
      return Promise.resolve()
    })
  const take = async (run: ModelRun, verdict: RunVerdict): Promise<void> => {
    const base = { v: 1, id: run.id, at: instantOf(nowMs()) } as const
    if (verdict._tag === 'Ended') {
      due.delete(run.id)
      const { failure, detail } = verdict
      return record({ ...base, step: 'ended', failure, detail })
    }
    const waitMs = verdict._tag === 'Again' ? verdict.waitMs : null
    due.set(run.id, nowMs() + Math.max(leastWaitMs, waitMs ?? pollMs))
    if (verdict._tag === 'Started') return record({ ...base, step: 'started', pipeline: verdict.pipeline })
    if (run.state === 'starting') return record({ ...base, step: 'waiting' })
  }
  const call = async (run: ModelRun, signal: AbortSignal): Promise<ForgeOutcome> => {
    const wanted = callOf(run)
    if (wanted === null) throw new Error(`the run ${run.id} waits for no call`)
    return (await forge(wanted, callMs, signal)).outcome
  }
  return async (run: ModelRun, signal: AbortSignal): Promise<void> => {
    const step = unwritten.get(run.id)
    if (step !== undefined) return record(step)
    // No step is unwritten, so an earlier process stopped between the call and its record.
    if (run.state === 'starting') return take(run, unknownStart)
    if ((due.get(run.id) ?? 0) > nowMs()) return
    const ageMs = nowMs() - Date.parse(run.requestedAt)
    if (run.state === 'running') return take(run, judgePipeline(await call(run, signal), ageMs))
    await record({ v: 1, id: run.id, at: instantOf(nowMs()), step: 'starting' })
    const begun: ModelRun = { ...run, state: 'starting' }
    return take(begun, judgeStart(await call(begun, signal), ageMs))
  }
}

const leastWaitMs = 1_000

/** The job comes first: a run whose request was not answered then ends with its job, and begins no pipeline. */
const startRun = (
  { disk, jobs, audit, wake, newId, runRef }: RunSources,
  { inTurn, reload, apply }: SharedStore,
  { surface, by, atMs }: { readonly surface: ModelSurface; readonly by: WriteActor; readonly atMs: number },
): Promise<Either<RefusalOf<'JobRunning' | 'DiskRefused'>, JobEnvelope>> =>
  inTurn(async () => {
    const { runs } = await reload()
    if (runs.trouble !== null)
      return left(
        refuse(
          'DiskRefused',
          `The runs of this host cannot be read (${runs.trouble}). Repair runs.jsonl first.`,
        ),
      )
    const known = findUnended(runs, surface)
    if (known !== undefined)
      return left(
        refuse('JobRunning', `A run of ${surface} has not ended. GET /model/runs shows it.`, {
          job: known.id,
        }),
      )
    const id = newId()
    const line: RunStep = {
      v: 1,
      id,
      at: instantOf(atMs),
      step: 'requested',
      surface,
      ref: runRef,
      by: by.name,
    }
    const recorded = orRefused('The run', () => {
      jobs.queue(id, 'model.run', atMs)
      jobs.begin(id, atMs)
      disk.append('runs', JSON.stringify(line))
    })
    if (isLeft(recorded)) {
      endJob(jobs, id, atMs)
      return recorded
    }
    apply(line)
    audit({ action: 'model.run', actor: by.name, ...tokenFields(by.token), id, surface })
    wake()
    return right({ jobId: id, statusUrl: `/v1/api/jobs/${id}`, status: 'running' })
  })

/** Ends the jobs of runs that have ended, and those that have no run: their request was not answered. */
const settleJobs = ({ jobs, publish, meter, log, nowMs }: RunSources, { runs }: ModelStore): void => {
  try {
    for (const { id, kind, startedMs } of jobs.unfinished()) {
      if (kind !== 'model.run') continue
      const run = runs.all.find(one => one.id === id)
      if (run !== undefined && !hasEnded(run)) continue
      const failure = run === undefined ? 'interrupted' : run.failure
      jobs.end(
        id,
        failure === null
          ? { _tag: 'Completed', json: JSON.stringify(run === undefined ? null : ModelRun.encode(run)) }
          : {
              _tag: 'Failed',
              error: failure,
              detail: run?.detail ?? 'The run was not recorded. Ask for it again.',
            },
        nowMs(),
      )
      const status = failure === null ? 'completed' : 'failed'
      publish('job:ended', { jobId: id, kind, status, error: failure })
      if (startedMs !== null)
        meter.observe(
          'svc_job_duration_seconds',
          { kind, result: status },
          Math.max(0, nowMs() - startedMs) / 1_000,
        )
    }
  } catch (error) {
    log.warn('model_run_unrecorded', { id: null, reason: reasonOf(error) })
  }
}

/** Ends the job of a run that the disk refused; where it refuses that too, the next turn ends it. */
const endJob = (jobs: RunSources['jobs'], id: string, atMs: number): void => {
  try {
    jobs.end(
      id,
      { _tag: 'Failed', error: 'DiskRefused', detail: 'The run could not be recorded. Ask for it again.' },
      atMs,
    )
  } catch {
    // Nothing more can be recorded now.
  }
}
