import type { TakeoverFailure, TakeoverJob } from '#protocol/fleet/takeover.js'
import type { ForgeOutcome } from '#protocol/forge.js'
import { reactTo } from '#src/domain/forge/react.js'
import {
  advanceRequestClosing,
  beginRequestClosing,
  type RequestClosingStep,
} from '#src/domain/forge/request-closing.js'
import { isOfOtherVersion } from '#src/domain/forge/version-line.js'
import {
  actionOf,
  closingMs,
  type FailedTakeover,
  type MonotonicNow,
  type TakeoverPhase,
  type TakeoverRun,
  type TakeoverStep,
} from './run.js'

const endFailed = ({ iid }: TakeoverRun, failed: FailedTakeover, owesClosing: boolean): TakeoverStep => ({
  _tag: 'End',
  end: { _tag: 'Failed', ...failed, iid, owesClosing },
})

const goOn = (run: TakeoverRun, phase: TakeoverPhase, afterMs: number): TakeoverStep => ({
  _tag: 'Do',
  afterMs,
  run: { ...run, phase },
})

const closesAtMs = ({ deadlineAtMs }: TakeoverRun): number => deadlineAtMs + closingMs

const followClosing = (run: TakeoverRun, failed: FailedTakeover, step: RequestClosingStep): TakeoverStep => {
  if (step._tag === 'Call') return goOn(run, { _tag: 'Closing', failed, closing: step.closing }, step.afterMs)
  const { end } = step
  if (end._tag === 'Merged') return goOn(run, { _tag: 'Converging', request: end.request }, 0)
  return endFailed(run, failed, end._tag === 'Failed' && end.fault._tag === 'TimedOut')
}

const close = (run: TakeoverRun, failed: FailedTakeover, iid: number, now: MonotonicNow): TakeoverStep => {
  const { failure, detail } = failed
  const reason = `${failure}: ${detail}`
  const goal = { iid, town: run.self === '' ? 'host' : run.self, reason, deadlineAtMs: closesAtMs(run) }
  return followClosing({ ...run, iid }, failed, beginRequestClosing(goal, now))
}

/** A request that is closed already, or that another host works on, is left as it is. */
const leavesRequest: ReadonlySet<TakeoverFailure> = new Set(['vetoed', 'withdrawn'])

/**
 * Fails the job, and closes its request first: someone could merge it later and flip the fleet. Where the request
 * is merged before it can be closed, the takeover is done.
 */
export const failTakeover = (
  run: TakeoverRun,
  failure: TakeoverFailure,
  detail: string,
  now: MonotonicNow,
): TakeoverStep => {
  const failed = { failure, detail }
  if (leavesRequest.has(failure)) return endFailed(run, failed, false)
  if (run.iid !== null) return close(run, failed, run.iid, now)
  if (!run.mayHaveRequest) return endFailed(run, failed, false)
  return goOn(run, { _tag: 'Finding', failed, failures: 0 }, 0)
}

/**
 * Takes the requests of the branch, and closes the open one. The takeover is done where one is merged: this host
 * ended before it could record that.
 */
export const onListed = (
  run: TakeoverRun,
  phase: Extract<TakeoverPhase, { _tag: 'Finding' }>,
  outcome: ForgeOutcome,
  now: MonotonicNow,
): TakeoverStep => {
  const { failed, failures } = phase
  const action = actionOf(run)
  if (action._tag !== 'CallForge') return endFailed(run, failed, false)
  const reaction = reactTo(action.call, outcome, failures)
  if (reaction._tag === 'Stop') return endFailed(run, failed, false)
  if (reaction._tag === 'Use' && reaction.result._tag === 'Requests') {
    const { requests } = reaction.result
    const merged = requests.find(
      one => one.state === 'merged' && !isOfOtherVersion(one.description, run.job.fence.commit),
    )
    if (merged !== undefined) return goOn(run, { _tag: 'Converging', request: merged }, 0)
    const open = requests.find(({ state }) => state === 'opened' || state === 'locked')
    return open === undefined ? endFailed(run, failed, false) : close(run, failed, open.iid, now)
  }
  const afterMs = 'waitMs' in reaction ? reaction.waitMs : 1_000
  return now.monotonicMs + afterMs >= closesAtMs(run)
    ? endFailed(run, failed, true)
    : goOn(run, { ...phase, failures: failures + 1 }, afterMs)
}

/** Takes the answer to a call of the closing. */
export const onClosingAnswer = (
  run: TakeoverRun,
  { failed, closing }: Extract<TakeoverPhase, { _tag: 'Closing' }>,
  outcome: ForgeOutcome,
  now: MonotonicNow,
): TakeoverStep => followClosing(run, failed, advanceRequestClosing(closing, outcome, now))

/** Closes the request that an earlier failed job left open; a null `iid` is looked for first. */
export const beginOwedClosing = (
  job: TakeoverJob,
  self: string,
  iid: number | null,
  detail: string,
  now: MonotonicNow,
): TakeoverStep => {
  const run: TakeoverRun = {
    job,
    self,
    phase: { _tag: 'Looking' },
    deadlineAtMs: now.monotonicMs,
    iid,
    mayHaveRequest: true,
    hasProbed: true,
    silentTown: null,
    fetchedAtMs: now.monotonicMs,
    failures: 0,
  }
  return failTakeover(run, 'timed_out', detail, now)
}
