import { isRight } from 'fp-ts/lib/Either.js'
import type { TakeoverJob } from '#protocol/fleet/takeover.js'
import type { ForgeOutcome } from '#protocol/forge.js'
import {
  advanceRequestMerge,
  beginRequestMerge,
  type RequestMergeEnd,
  type RequestMergeStep,
} from '#src/domain/forge/request-merge.js'
import { defaultWaitMs } from '#src/domain/outbound/retry-after.js'
import { isSameFence } from '../fence.js'
import { readTopology } from '../topology.js'
import { topologyFileOf } from '../topology-file.js'
import type { FetchedFleet, TakeoverOutcome, TownProbe } from './action.js'
import { decideClaim } from './claim.js'
import { failTakeover, onClosingAnswer, onListed } from './fail.js'
import { type MonotonicNow, type TakeoverPhase, type TakeoverRun, type TakeoverStep, workMs } from './run.js'
import { branchOfJob, requestDescription, requestTitle } from './texts.js'

/** Does the phase after a wait, or fails where the wait takes until the deadline. */
const enter = (
  run: TakeoverRun,
  phase: TakeoverPhase,
  afterMs: number,
  detail: string,
  now: MonotonicNow,
): TakeoverStep =>
  now.monotonicMs + afterMs >= run.deadlineAtMs
    ? failTakeover(run, 'timed_out', detail, now)
    : { _tag: 'Do', afterMs, run: { ...run, phase } }

/** What an earlier process of this host left of a job. */
export interface EarlierAttempt {
  readonly iid: number | null
}

/** Begins a job, or begins it again after a restart: every step first meets what an earlier attempt did. */
export const beginTakeover = (
  job: TakeoverJob,
  self: string,
  earlier: EarlierAttempt | null,
  { monotonicMs }: MonotonicNow,
): TakeoverStep => ({
  _tag: 'Do',
  afterMs: 0,
  run: {
    job,
    self,
    phase: { _tag: 'Looking' },
    deadlineAtMs: monotonicMs + workMs,
    iid: earlier?.iid ?? null,
    mayHaveRequest: earlier !== null,
    hasProbed: false,
    silentTown: null,
    fetchedAtMs: monotonicMs,
    failures: 0,
  },
})

/** Repeats the action under way; the waits grow. */
const repeat = (run: TakeoverRun, detail: string, now: MonotonicNow): TakeoverStep => {
  const failures = run.failures + 1
  return enter({ ...run, failures }, run.phase, defaultWaitMs(run.failures), detail, now)
}

/** Reads the remote again. The first time at once: what failed then has another cause than load. */
const lookAgain = (run: TakeoverRun, detail: string, now: MonotonicNow): TakeoverStep => {
  const afterMs = run.failures === 0 ? 0 : defaultWaitMs(run.failures - 1)
  return enter({ ...run, failures: run.failures + 1 }, { _tag: 'Looking' }, afterMs, detail, now)
}

/** How old the fetch may be when the request is merged: the forge compares contents, not versions of the file. */
const fetchMsMax = 60_000

const followMerge = (
  run: TakeoverRun,
  town: string,
  step: RequestMergeStep,
  now: MonotonicNow,
): TakeoverStep => {
  if (step._tag === 'End') return onMergeEnd(run, step.end, now)
  const { afterMs, merge } = step
  const isOld = now.monotonicMs + afterMs - run.fetchedAtMs > fetchMsMax
  if (merge.call._tag === 'MergeRequest' && isOld)
    return lookAgain({ ...run, iid: merge.request?.iid ?? run.iid }, 'the last fetch is old', now)
  const iid = merge.request?.iid ?? run.iid
  const phase: TakeoverPhase = { _tag: 'Merging', merge, town, hasAnswered: false }
  return { _tag: 'Do', afterMs, run: { ...run, iid, phase } }
}

const onMergeEnd = (before: TakeoverRun, end: RequestMergeEnd, now: MonotonicNow): TakeoverStep => {
  const run = end.request === null ? before : { ...before, iid: end.request.iid }
  switch (end._tag) {
    case 'Merged':
      return { _tag: 'Do', afterMs: 0, run: { ...run, phase: { _tag: 'Converging', request: end.request } } }
    case 'Moved':
      return lookAgain(run, 'the branch moved', now)
    case 'Empty':
      return lookAgain(run, `the request !${end.request.iid} has no commits`, now)
    case 'Vetoed':
      return failTakeover(run, 'vetoed', `a person closed the request !${end.request.iid}`, now)
    case 'Withdrawn':
      return failTakeover(run, 'withdrawn', `another host closed the request !${end.request.iid}`, now)
    case 'Failed': {
      const { fault } = end
      if (fault._tag === 'Conflicting')
        return failTakeover(run, 'conflicting', 'the request conflicts with the branch', now)
      if (fault._tag === 'TimedOut') return failTakeover(run, 'timed_out', `forge: ${fault.status}`, now)
      const status = fault._tag === 'Missing' ? 404 : fault.status
      return failTakeover(run, 'forge_refused', `the forge answered ${status}`, now)
    }
  }
}

/** Opens or adopts the request of a branch that is at `sha` and makes the town the apex, and merges it. */
const mergeBranch = (
  run: TakeoverRun,
  { branch }: FetchedFleet,
  { commit: sha, town }: { readonly commit: string; readonly town: string },
  now: MonotonicNow,
): TakeoverStep => {
  const { job, deadlineAtMs } = run
  const goal = {
    sourceBranch: branchOfJob(job),
    targetBranch: branch,
    sha,
    title: requestTitle(job),
    description: requestDescription(job),
    version: job.fence.commit,
    deadlineAtMs,
  }
  return followMerge({ ...run, mayHaveRequest: true }, town, beginRequestMerge(goal, now), now)
}

const claimBranch = (run: TakeoverRun, found: FetchedFleet, now: MonotonicNow): TakeoverStep => {
  const candidates = found.candidates.filter(town => town !== run.silentTown)
  const decision = decideClaim(run.job, { ...found, candidates })
  switch (decision._tag) {
    case 'Adopt':
      return mergeBranch(run, found, decision, now)
    case 'Push':
      return enter(run, { _tag: 'Claiming', found, claim: decision.claim }, 0, 'not pushed', now)
    case 'Foreign':
      return failTakeover(
        run,
        'foreign_claim',
        `${branchOfJob(run.job)}, or a branch below it, is not that of a takeover; look at it and delete it`,
        now,
      )
    case 'Unlisted':
      return failTakeover(
        run,
        'superseded',
        `the file of the fleet does not list ${run.job.town}, or has no room for the next term; edit it`,
        now,
      )
  }
}

/** Whether the apex is asked once more: not where it hands over itself, nor against the word of a person. */
const needsProbe = ({ job, self, hasProbed }: TakeoverRun, { topology }: FetchedFleet): boolean => {
  if (hasProbed || job.isForced || job.apex === self || topology === null) return false
  const file = topologyFileOf(topology.text, topology.fence.blob)
  const read = file === null ? null : readTopology(file)
  return read !== null && isRight(read) && read.right.towns.get(job.apex)?.isSteppingDown !== true
}

const onFetched = (before: TakeoverRun, found: FetchedFleet, now: MonotonicNow): TakeoverStep => {
  const failures = before.phase._tag === 'Looking' ? before.failures : 0
  const run = { ...before, failures, fetchedAtMs: now.monotonicMs }
  if (found.topology === null || !isSameFence(found.topology.fence, run.job.fence))
    return failTakeover(run, 'superseded', 'the topology changed after the job was accepted', now)
  const { cooldown } = found
  if (cooldown === 'runs')
    return failTakeover(run, 'takeover_cooldown', 'by the clock of the forge the cooldown is not over', now)
  if (cooldown === 'refused')
    return failTakeover(
      run,
      'forge_refused',
      'the forge does not list the requests of the last takeover',
      now,
    )
  if (cooldown === 'unknown')
    return lookAgain(run, 'the forge has not said when the last takeover was merged', now)
  if (!needsProbe(run, found)) return claimBranch(run, found, now)
  return enter(run, { _tag: 'Probing', town: run.job.apex, found }, 0, 'not probed', now)
}

/** Merges the request where the town that it makes the apex answers; else the branch is looked at again without it. */
const onNamedProbed = (
  run: TakeoverRun,
  phase: Extract<TakeoverPhase, { _tag: 'Merging' }>,
  result: TownProbe,
  now: MonotonicNow,
): TakeoverStep => {
  const { town } = phase
  if (result === 'answers') return enter(run, { ...phase, hasAnswered: true }, 0, 'not merged', now)
  if (result === 'not_sent') return lookAgain(run, `this host could not probe ${town}`, now)
  return lookAgain({ ...run, silentTown: town }, `${town}, which the request names, does not answer`, now)
}

const onProbed = (before: TakeoverRun, result: TownProbe, now: MonotonicNow): TakeoverStep => {
  if (before.phase._tag === 'Merging') return onNamedProbed(before, before.phase, result, now)
  const run = { ...before, hasProbed: true }
  if (before.phase._tag !== 'Probing') return repeat(before, 'out of turn', now)
  if (result === 'answers')
    return failTakeover(run, 'apex_answers', `${run.job.apex} answered the last probe`, now)
  if (result === 'silent') return claimBranch(run, before.phase.found, now)
  return before.failures < 3
    ? repeat(before, 'the probe was not sent', now)
    : failTakeover(before, 'probe_not_sent', 'this host could not send the last probe of the apex', now)
}

const onAnswered = (run: TakeoverRun, outcome: ForgeOutcome, now: MonotonicNow): TakeoverStep => {
  const { phase } = run
  switch (phase._tag) {
    case 'Merging':
      return followMerge(run, phase.town, advanceRequestMerge(phase.merge, outcome, now), now)
    case 'Finding':
      return onListed(run, phase, outcome, now)
    case 'Closing':
      return onClosingAnswer(run, phase, outcome, now)
    case 'Looking':
    case 'Probing':
    case 'Claiming':
    case 'Converging':
      return repeat(run, 'out of turn', now)
  }
}

const onGitFailed = (
  run: TakeoverRun,
  failure: 'remote_failed' | 'push_refused',
  { detail, isFinal }: { readonly detail: string; readonly isFinal: boolean },
  now: MonotonicNow,
): TakeoverStep => (isFinal ? failTakeover(run, failure, detail, now) : lookAgain(run, detail, now))

/**
 * Takes the outcome of the action under way and returns the next one. A job never merges another version of the
 * topology than the one that it was accepted with, and ends at its deadline at the latest.
 */
export const advanceTakeover = (
  run: TakeoverRun,
  outcome: TakeoverOutcome,
  now: MonotonicNow,
): TakeoverStep => {
  switch (outcome._tag) {
    case 'Fetched':
      return onFetched(run, outcome.found, now)
    case 'FetchFailed':
      return onGitFailed(run, 'remote_failed', outcome, now)
    case 'Probed':
      return onProbed(run, outcome.result, now)
    case 'Pushed':
      return run.phase._tag === 'Claiming'
        ? mergeBranch(run, run.phase.found, { commit: outcome.commit, town: run.job.town }, now)
        : repeat(run, 'out of turn', now)
    case 'Beaten':
      return lookAgain(run, 'another host pushed first', now)
    case 'PushUnknown':
      return lookAgain(run, outcome.detail, now)
    case 'PushFailed':
      return onGitFailed(run, 'push_refused', outcome, now)
    case 'Answered':
      return onAnswered(run, outcome.outcome, now)
    case 'Converged':
      return run.phase._tag === 'Converging'
        ? { _tag: 'End', end: { _tag: 'Done', request: run.phase.request } }
        : repeat(run, 'out of turn', now)
  }
}
