import { isLeft } from 'fp-ts/lib/Either.js'
import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { Instant, ModelSurface } from '#protocol/atoms.js'
import type { ForgeCall, ForgeOutcome } from '#protocol/host/forge.js'
import { type ModelRun, RunFailure } from '#protocol/models/models.js'
import { readJson } from '#src/domain/json/json-text.js'

/**
 * Training runs at the forge. `runs.jsonl` has a line for each step of a run, on disk before the step is taken, so
 * that a host that stops in between begins no pipeline twice: a run whose call may have reached the forge, and whose
 * answer is not on disk, ends as `start_unknown`.
 */

const step = { v: t.literal(1), id: t.string, at: Instant } as const

const Pipeline = t.type({ id: t.number, url: t.string })

export const RunStep = t.union(
  [
    t.type({ ...step, step: t.literal('requested'), surface: ModelSurface, ref: t.string, by: t.string }),
    t.type({ ...step, step: t.literal('starting') }),
    t.type({ ...step, step: t.literal('waiting') }),
    t.type({ ...step, step: t.literal('started'), pipeline: Pipeline }),
    t.type({
      ...step,
      step: t.literal('ended'),
      failure: t.union([RunFailure, t.null]),
      detail: t.union([t.string, t.null]),
    }),
  ],
  'RunStep',
)
export type RunStep = t.TypeOf<typeof RunStep>

export interface Runs {
  /** The oldest first. */
  readonly all: ReadonlyArray<ModelRun>
  /** Lines that are no steps. They stay in the file. */
  readonly unreadable: number
  /** Why the file cannot be read; null where it can. No run is begun then. */
  readonly trouble: string | null
}

export const noRuns: Runs = { all: [], unreadable: 0, trouble: null }

/** Reads the steps of runs. A step of a run that is not known, or that has ended, is not one. */
export const readRuns = (text: string): Runs => {
  const runs = new Map<string, ModelRun>()
  let unreadable = 0
  for (const line of text.split('\n')) {
    if (line === '') continue
    const read = readJson(line)
    const next =
      isLeft(read) || !RunStep.is(read.right) ? null : takeStep(runs.get(read.right.id), read.right)
    if (next === null) unreadable += 1
    else runs.set(next.id, next)
  }
  return { all: [...runs.values()], unreadable, trouble: null }
}

/** Runs after a step; the same where the step is none of theirs. */
export const withStep = (runs: Runs, taken: RunStep): Runs => {
  const known = runs.all.find(({ id }) => id === taken.id)
  const next = takeStep(known, taken)
  if (next === null) return runs
  const all = known === undefined ? [...runs.all, next] : runs.all.map(run => (run === known ? next : run))
  return { ...runs, all }
}

export const hasEnded = ({ state }: Pick<ModelRun, 'state'>): boolean =>
  state === 'succeeded' || state === 'failed'

/** The run that has not ended, of those of a surface; undefined where there is none. */
export const findUnended = (runs: Runs, surface: ModelSurface): ModelRun | undefined =>
  runs.all.find(run => run.surface === surface && !hasEnded(run))

/** The call that a run waits for; null where it waits for none. */
export const callOf = (run: ModelRun): ForgeCall | null => {
  if (run.state === 'starting')
    return {
      _tag: 'StartPipeline',
      ref: run.ref,
      variables: { KRONIKA_MODEL_RUN: run.id, KRONIKA_MODEL_SURFACE: run.surface },
    }
  return run.state === 'running' && run.pipeline !== null
    ? { _tag: 'ReadPipeline', pipelineId: run.pipeline.id }
    : null
}

/** What follows an answer of the forge. */
export type RunVerdict =
  | { readonly _tag: 'Started'; readonly pipeline: { readonly id: number; readonly url: string } }
  /** The forge has not begun the run, or it goes on: the call is due again after `waitMs`; null: after the interval. */
  | { readonly _tag: 'Again'; readonly waitMs: number | null }
  | { readonly _tag: 'Ended'; readonly failure: RunFailure | null; readonly detail: string | null }

/** How long a run may take until this host follows it no longer, and how long it is tried to begin. */
export const runMsMax = 24 * 3_600_000
export const startMsMax = 3_600_000

/** Judges the answer to the call that begins the pipeline. Only what surely did not begin it is tried again. */
export const judgeStart = (outcome: ForgeOutcome, ageMs: number): RunVerdict => {
  const retry = (waitMs: number | null): RunVerdict =>
    ageMs > startMsMax
      ? failed('start_given_up', 'The forge did not take the run for an hour.')
      : again(waitMs)
  switch (outcome._tag) {
    case 'Pipeline': {
      const { id, url } = outcome.pipeline
      return { _tag: 'Started', pipeline: { id, url } }
    }
    case 'Limited':
      return retry(outcome.waitMs)
    case 'NoAnswer':
      return outcome.failure === 'not_sent' || outcome.failure === 'refused' ? retry(null) : unknownStart
    case 'Denied':
      return failed(
        'forge_denied',
        `The forge denies the token (${outcome.status}). Give this host a valid one.`,
      )
    case 'Missing':
      return failed('start_refused', 'The forge has no such project or branch.')
    case 'Conflict':
    case 'NotMergeable':
      return failed('start_refused', 'The forge refuses to begin the pipeline.')
    case 'Refused':
      return failed('start_refused', `The forge refuses to begin the pipeline (${outcome.status}).`)
    case 'Faulty':
    case 'Garbled':
    case 'Request':
    case 'Requests':
    case 'Jobs':
    case 'Job':
    case 'Trace':
      return unknownStart
    default:
      return absurd(outcome)
  }
}

/** Judges what the forge says of a pipeline that runs. */
export const judgePipeline = (outcome: ForgeOutcome, ageMs: number): RunVerdict => {
  if (outcome._tag === 'Pipeline' && ended.has(outcome.pipeline.status))
    return outcome.pipeline.status === 'success'
      ? { _tag: 'Ended', failure: null, detail: null }
      : failed('pipeline_failed', `The pipeline ended as ${outcome.pipeline.status}. Its jobs say why.`)
  if (outcome._tag === 'Denied')
    return failed(
      'forge_denied',
      `The forge denies the token (${outcome.status}). Give this host a valid one.`,
    )
  if (outcome._tag === 'Missing') return failed('pipeline_gone', 'The forge has no such pipeline any more.')
  if (ageMs > runMsMax) return failed('timed_out', 'The pipeline has not ended for a day; look at the forge.')
  const waits = outcome._tag === 'Limited' || outcome._tag === 'Faulty' ? outcome.waitMs : null
  return again(waits)
}

/** The end of a run that was being begun when the host stopped. */
export const unknownStart: RunVerdict = {
  _tag: 'Ended',
  failure: 'start_unknown',
  detail:
    'The forge may have begun the pipeline, so it is not begun again. Look there, then ask for another run.',
}

const ended: ReadonlySet<string> = new Set(['success', 'failed', 'canceled', 'skipped'])

const again = (waitMs: number | null): RunVerdict => ({ _tag: 'Again', waitMs })

const failed = (failure: RunFailure, detail: string): RunVerdict => ({ _tag: 'Ended', failure, detail })

/** The run after a step; null where the step does not fit. */
const takeStep = (run: ModelRun | undefined, taken: RunStep): ModelRun | null => {
  if (taken.step === 'requested')
    return run === undefined
      ? {
          id: taken.id,
          surface: taken.surface,
          ref: taken.ref,
          state: 'queued',
          requestedAt: taken.at,
          requestedBy: taken.by,
          pipeline: null,
          endedAt: null,
          failure: null,
          detail: null,
        }
      : null
  if (run === undefined || hasEnded(run)) return null
  switch (taken.step) {
    case 'starting':
      return { ...run, state: 'starting' }
    case 'waiting':
      return { ...run, state: 'queued' }
    case 'started':
      return { ...run, state: 'running', pipeline: taken.pipeline }
    case 'ended': {
      const { at: endedAt, failure, detail } = taken
      return { ...run, state: failure === null ? 'succeeded' : 'failed', endedAt, failure, detail }
    }
    default:
      return absurd(taken)
  }
}
