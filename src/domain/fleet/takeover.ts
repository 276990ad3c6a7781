import { isRight } from 'fp-ts/lib/Either.js'
import type { TakeoverFailure, TakeoverJob } from '#protocol/fleet/takeover.js'
import type { ForgeCall, ForgeOutcome, ForgeRequest } from '#protocol/host/forge.js'
import {
  advanceRequestClosing,
  advanceRequestMerge,
  beginRequestClosing,
  beginRequestMerge,
  isOwnRequest,
  mergeabilityOf,
  type RequestClosingStep,
  type RequestMerge,
  type RequestMergeEnd,
  type RequestMergeStep,
  reactTo,
} from '#src/domain/forge/merge-request.js'
import { isOfOtherVersion, isOver } from '#src/domain/forge/wire.js'
import { defaultWaitMs } from '#src/domain/outbound/outbound.js'
import { redactCredentials } from '#src/domain/redaction/scrub.js'
import { isSameFence } from './role.js'
import {
  actionOf,
  branchOfJob,
  closingMs,
  decideClaim,
  type FailedTakeover,
  type FetchedFleet,
  type MonotonicNow,
  requestDescription,
  requestTitle,
  type TakeoverAction,
  type TakeoverOutcome,
  type TakeoverPhase,
  type TakeoverRun,
  type TakeoverStep,
  type TownProbe,
  workMs,
} from './takeover-run.js'
import { readTopology, topologyFileOf } from './topology.js'

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

/** The error of an action of a takeover as a clause, without credentials; null where it brought what it was for. */
export const describeTakeoverError = (
  job: TakeoverJob,
  action: TakeoverAction,
  outcome: TakeoverOutcome,
): string | null => {
  const error = describeOutcomeOf(job, action, outcome)
  return error === null ? null : redactCredentials(error)
}

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
  before: TakeoverRun,
  called: RequestMerge | null,
  town: string,
  step: RequestMergeStep,
  now: MonotonicNow,
): TakeoverStep => {
  const merge = step._tag === 'End' ? called : step.merge
  const request = step._tag === 'End' ? step.end.request : step.merge.request
  const isOwn = merge !== null && request !== null && isOwnRequest(merge, request)
  const run = isOwn ? { ...before, iid: request.iid } : before
  if (step._tag === 'End') return onMergeEnd(run, step.end, now)
  const { afterMs } = step
  const isOld = now.monotonicMs + afterMs - run.fetchedAtMs > fetchMsMax
  if (step.merge.call._tag === 'MergeRequest' && isOld) return lookAgain(run, 'the last fetch is old', now)
  const phase: TakeoverPhase = { _tag: 'Merging', merge: step.merge, town, hasAnswered: false }
  return { _tag: 'Do', afterMs, run: { ...run, phase } }
}

const onMergeEnd = (run: TakeoverRun, end: RequestMergeEnd, now: MonotonicNow): TakeoverStep => {
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
  return followMerge({ ...run, mayHaveRequest: true }, null, town, beginRequestMerge(goal, now), now)
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
      return followMerge(run, phase.merge, phase.town, advanceRequestMerge(phase.merge, outcome, now), now)
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
const failTakeover = (
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
const onListed = (
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
    const open = requests.find(
      one => !isOver(one) && !isOfOtherVersion(one.description, run.job.fence.commit),
    )
    return open === undefined ? endFailed(run, failed, false) : close(run, failed, open.iid, now)
  }
  const afterMs = 'waitMs' in reaction ? reaction.waitMs : 1_000
  return now.monotonicMs + afterMs >= closesAtMs(run)
    ? endFailed(run, failed, true)
    : goOn(run, { ...phase, failures: failures + 1 }, afterMs)
}

/** Takes the answer to a call of the closing. */
const onClosingAnswer = (
  run: TakeoverRun,
  { failed, closing }: Extract<TakeoverPhase, { _tag: 'Closing' }>,
  outcome: ForgeOutcome,
  now: MonotonicNow,
): TakeoverStep => followClosing(run, failed, advanceRequestClosing(closing, outcome, now))

const callWords: Partial<Record<ForgeCall['_tag'], string>> = {
  ListRequests: 'the list of the requests',
  OpenRequest: 'the opening of the request',
  ReadRequest: 'a look at the request',
  MergeRequest: 'the merge of the request',
  CloseRequest: 'the closing of the request',
}

/** A request that waits for people or pipelines; `checking` and its like pass without anyone. */
const describeWait = ({ iid, state, mergeStatus }: ForgeRequest): string | null => {
  const isPassing = mergeStatus === null || /^(unchecked|checking|preparing)$/.test(mergeStatus)
  if (state !== 'opened' || isPassing || mergeabilityOf(mergeStatus) !== 'pending') return null
  return `the forge does not merge the request !${iid} yet: ${mergeStatus}`
}

/** Null for an answer that the job uses, or that belongs to its ordinary course (405 and 409). */
const describeForge = (call: ForgeCall, outcome: ForgeOutcome): string | null => {
  const work = callWords[call._tag] ?? call._tag
  const said = (status: number): string => `the forge answered ${status} to ${work}`
  switch (outcome._tag) {
    case 'Request':
      return describeWait(outcome.request)
    case 'Limited':
      return `the forge has had too many requests (429) and did not take ${work}`
    case 'Missing':
      return said(404)
    case 'Faulty':
    case 'Denied':
    case 'Refused':
      return said(outcome.status)
    case 'Garbled':
      return outcome.isPage
        ? `a web page came in place of the answer of the forge to ${work}, as from a proxy or a sign-in page`
        : `the answer of the forge to ${work} cannot be read`
    case 'NoAnswer':
      return `the forge gave no usable answer to ${work}: ${outcome.failure}`
    case 'Conflict':
    case 'NotMergeable':
    case 'Requests':
    case 'Pipeline':
    case 'Jobs':
    case 'Job':
    case 'Trace':
      return null
  }
}

/** A dark apex is what a takeover expects; the town that the request names must answer. */
const describeProbe = (
  { apex }: TakeoverJob,
  action: TakeoverAction,
  { result }: Extract<TakeoverOutcome, { _tag: 'Probed' }>,
): string | null => {
  const town = action._tag === 'ProbeTown' ? action.town : apex
  if (result === 'not_sent') return `this host could not send a probe to ${town}`
  return result === 'silent' && town !== apex ? `${town}, which the request names, does not answer` : null
}

const describeOutcomeOf = (
  job: TakeoverJob,
  action: TakeoverAction,
  outcome: TakeoverOutcome,
): string | null => {
  switch (outcome._tag) {
    case 'FetchFailed':
      return `the fetch failed: ${outcome.detail}`
    case 'PushFailed':
    case 'PushUnknown':
      return `the push of the branch failed: ${outcome.detail}`
    case 'Beaten':
      return 'another host pushed the branch first'
    case 'Probed':
      return describeProbe(job, action, outcome)
    case 'Answered':
      return action._tag === 'CallForge' ? describeForge(action.call, outcome.outcome) : null
    case 'Fetched':
    case 'Pushed':
    case 'Converged':
      return null
  }
}
