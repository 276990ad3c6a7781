import type { ForgeCall, ForgeOutcome, ForgeRequest, ForgeResult } from '#protocol/host/forge.js'
import type { OutboundFailure } from '#protocol/host/outbound.js'
import { defaultWaitMs } from '#src/domain/outbound/outbound.js'
import {
  appendClosingLine,
  changesForge,
  hasClosingLine,
  isOfOtherVersion,
  isOver,
  pickRequest,
} from './wire.js'

/** A branch that is on the forge and is to be merged by a request. */
export interface RequestMergeGoal {
  readonly sourceBranch: string
  readonly targetBranch: string
  /** The commit that the branch must be at. */
  readonly sha: string
  readonly title: string
  readonly description: string
  /** What the request changes: ended requests whose description names another version are ignored. */
  readonly version: string
  /** On the monotonic clock. No call begins at or after it. */
  readonly deadlineAtMs: number
}

export type RequestMergeEnd =
  /** A request of the branch is merged, perhaps by another host and with another commit. */
  | { readonly _tag: 'Merged'; readonly request: ForgeRequest }
  /** The branch has another commit: another host claims it. The request may be of another version. */
  | { readonly _tag: 'Moved'; readonly request: ForgeRequest }
  /** The target branch has every commit of the request: another merge brought them. */
  | { readonly _tag: 'Empty'; readonly request: ForgeRequest }
  /** A person closed the request. */
  | { readonly _tag: 'Vetoed'; readonly request: ForgeRequest }
  /** A daemon closed the request that this host was merging. */
  | { readonly _tag: 'Withdrawn'; readonly request: ForgeRequest }
  | { readonly _tag: 'Failed'; readonly fault: RequestMergeFault; readonly request: ForgeRequest | null }

/** The call that is under way, and what is known from earlier ones. */
export interface RequestMerge {
  readonly goal: RequestMergeGoal
  readonly call: ForgeCall
  readonly request: ForgeRequest | null
  /** Whether the forge was asked to merge that request. */
  readonly hasAsked: boolean
  /** Attempts that failed. */
  readonly failures: number
  /** Looks at a request that could not be merged yet. */
  readonly polls: number
}

/** The next call, to be made after a wait; or the end. */
export type RequestMergeStep =
  | { readonly _tag: 'Call'; readonly afterMs: number; readonly merge: RequestMerge }
  | { readonly _tag: 'End'; readonly end: RequestMergeEnd }

/**
 * Begins with the list of the branch's requests, because an earlier process of this host, or another host, may
 * have opened one.
 */
export const beginRequestMerge = (goal: RequestMergeGoal, now: Now): RequestMergeStep =>
  callAfter(
    { goal, call: listOf(goal), request: null, hasAsked: false, failures: 0, polls: 0 },
    0,
    'not_asked',
    now,
  )

/**
 * Whether a request is this job's to merge and to close. A branch has the same name, and may have the same commit, for
 * each version that has the same text: an open request of another version is another job's, until this one asks for
 * its merge.
 */
export const isOwnRequest = ({ goal, hasAsked }: RequestMerge, { description }: ForgeRequest): boolean =>
  hasAsked || !isOfOtherVersion(description, goal.version)

/** One word or two for the outcome of a call, as records and messages show it. */
export const describeOutcome = (outcome: ForgeOutcome): string => {
  switch (outcome._tag) {
    case 'NoAnswer':
      return outcome.failure
    case 'Limited':
      return outcome.waitMs === null
        ? 'too many requests (429)'
        : `too many requests (429), the next one in ${Math.ceil(outcome.waitMs / 1_000)} s`
    case 'Garbled':
      return outcome.isPage
        ? 'a web page in place of data, as from a proxy, a firewall or a sign-in page; check integrations.forge.api_url'
        : 'an answer that is not that of its interface; check integrations.forge.api_url'
    case 'Missing':
      return 'status 404: no such project or request, or the token does not see it'
    case 'Conflict':
      return 'status 409: another request or another commit is there'
    case 'NotMergeable':
      return 'status 405: it cannot be merged now'
    case 'Denied':
    case 'Faulty':
    case 'Refused':
      return `status ${outcome.status}`
    case 'Request':
    case 'Requests':
    case 'Pipeline':
    case 'Jobs':
    case 'Job':
    case 'Trace':
      return outcome._tag
  }
}

/**
 * Opens or adopts a request for the branch and merges it, one call after another: takes the outcome of the call
 * under way and returns the next one. Ends at the deadline at the latest, and never merges another commit than
 * that of the goal.
 */
export const advanceRequestMerge = (merge: RequestMerge, outcome: ForgeOutcome, now: Now): RequestMergeStep =>
  goOnAfter(merge, reactTo(merge.call, outcome, merge.failures), describeOutcome(outcome), now)

export type RequestClosingEnd =
  | { readonly _tag: 'Closed'; readonly request: ForgeRequest }
  /** The request was merged before it could be closed. */
  | { readonly _tag: 'Merged'; readonly request: ForgeRequest }
  | { readonly _tag: 'Failed'; readonly fault: ForgeRefusal | { readonly _tag: 'TimedOut' } }

export interface RequestClosing {
  readonly goal: RequestClosingGoal
  readonly call: ForgeCall
  readonly failures: number
}

/** The next call, to be made after a wait; or the end. */
export type RequestClosingStep =
  | { readonly _tag: 'Call'; readonly afterMs: number; readonly closing: RequestClosing }
  | { readonly _tag: 'End'; readonly end: RequestClosingEnd }

/** Begins by reading the request, because the closing line is added to its description as it is now. */
export const beginRequestClosing = (goal: RequestClosingGoal, now: Now): RequestClosingStep =>
  closeAfter({ goal, call: readToClose(goal), failures: 0 }, 0, now)

/** Takes the outcome of the call under way and returns the next one. Ends at the deadline at the latest. */
export const advanceRequestClosing = (
  closing: RequestClosing,
  outcome: ForgeOutcome,
  now: Now,
): RequestClosingStep => goOnClosingAfter(closing, reactTo(closing.call, outcome, closing.failures), now)

/**
 * Reads `detailed_merge_status`. A status that is unknown here is pending: versions of the forge add some. A
 * forge without the field is asked to merge, and answers 405 while it checks.
 */
export const mergeabilityOf = (mergeStatus: string | null): Mergeability => {
  switch (mergeStatus) {
    case null:
    case 'mergeable':
      return 'mergeable'
    case 'conflict':
    case 'need_rebase':
      return 'conflict'
    case 'commits_status':
      return 'empty'
    default:
      return 'pending'
  }
}

/** What to do after a call. */
export type ForgeReaction =
  | { readonly _tag: 'Use'; readonly result: ForgeResult }
  /** The forge has not performed the call, or only read: make it again. */
  | { readonly _tag: 'Retry'; readonly waitMs: number }
  /** The forge may have performed the call: read what it did before another attempt. */
  | { readonly _tag: 'Look'; readonly waitMs: number }
  /** Another one is there already: use that. For a merge: the branch has moved. */
  | { readonly _tag: 'Adopt' }
  /** The forge still checks whether the request can be merged. */
  | { readonly _tag: 'Wait' }
  | { readonly _tag: 'Stop'; readonly refusal: ForgeRefusal }

/**
 * Decides by the outcome of a call; `attempt` counts from 0 the attempts that failed before it.
 */
export const reactTo = (call: ForgeCall, outcome: ForgeOutcome, attempt: number): ForgeReaction => {
  const again = (waitMs: number | null): ForgeReaction => ({
    _tag: changesForge(call) ? 'Look' : 'Retry',
    waitMs: nextWaitMs(waitMs, attempt),
  })
  switch (outcome._tag) {
    case 'Limited':
      return { _tag: 'Retry', waitMs: nextWaitMs(outcome.waitMs, attempt) }
    case 'Faulty':
      return again(outcome.waitMs)
    case 'Garbled':
      return again(null)
    case 'NoAnswer':
      return unseen.has(outcome.failure) ? { _tag: 'Retry', waitMs: nextWaitMs(null, attempt) } : again(null)
    case 'Conflict':
      return { _tag: 'Adopt' }
    case 'NotMergeable':
      return { _tag: 'Wait' }
    case 'Refused':
      if (call._tag === 'MergeRequest' && mergeRefusals.has(outcome.status)) return { _tag: 'Wait' }
      return { _tag: 'Stop', refusal: outcome }
    case 'Denied':
    case 'Missing':
      return { _tag: 'Stop', refusal: outcome }
    case 'Request':
    case 'Requests':
    case 'Pipeline':
    case 'Jobs':
    case 'Job':
    case 'Trace':
      return { _tag: 'Use', result: outcome }
  }
}

/** Why no request was merged; `RequestMergeEnd` adds the request, if one was seen. */
type RequestMergeFault =
  | ForgeRefusal
  /** The request conflicts with the target branch. */
  | { readonly _tag: 'Conflicting' }
  /** The time is over; `status` is the last `detailed_merge_status`, or the last outcome of a call. */
  | { readonly _tag: 'TimedOut'; readonly status: string }

/** The wait before the next look at a request: 1 s · 2^polls, ten seconds at most. */
const pollMs = (polls: number): number => Math.min(10_000, 1_000 * 2 ** Math.min(polls, 4))

const listOf = ({ sourceBranch }: RequestMergeGoal): ForgeCall => ({ _tag: 'ListRequests', sourceBranch })
const openOf = ({ sourceBranch, targetBranch, title, description }: RequestMergeGoal): ForgeCall => ({
  _tag: 'OpenRequest',
  sourceBranch,
  targetBranch,
  title,
  description,
})
const readOf = ({ iid }: ForgeRequest): ForgeCall => ({ _tag: 'ReadRequest', iid })

const end = (what: RequestMergeEnd): RequestMergeStep => ({ _tag: 'End', end: what })
const fail = ({ request }: RequestMerge, fault: RequestMergeFault): RequestMergeStep =>
  end({ _tag: 'Failed', fault, request })

interface Now {
  readonly monotonicMs: number
}

/** Makes the call after the wait, or ends where the wait takes until the deadline. */
const callAfter = (
  merge: RequestMerge,
  afterMs: number,
  status: string,
  { monotonicMs }: Now,
): RequestMergeStep =>
  monotonicMs + afterMs >= merge.goal.deadlineAtMs
    ? fail(merge, { _tag: 'TimedOut', status })
    : { _tag: 'Call', afterMs, merge }

const poll = (merge: RequestMerge, request: ForgeRequest, status: string, now: Now): RequestMergeStep =>
  callAfter(
    { ...merge, call: readOf(request), request, polls: merge.polls + 1 },
    pollMs(merge.polls),
    status,
    now,
  )

/** Goes on by the state of the request as the forge has just shown it. */
const goOnWith = (merge: RequestMerge, request: ForgeRequest, now: Now): RequestMergeStep => {
  const known = { ...merge, request }
  // The branch has this name for another version too, and it is that version's request that ended.
  if (isOver(request) && !isOwnRequest(merge, request)) return end({ _tag: 'Moved', request })
  if (request.state === 'merged') return end({ _tag: 'Merged', request })
  if (request.state === 'closed')
    return end({ _tag: hasClosingLine(request.description) ? 'Withdrawn' : 'Vetoed', request })
  if (request.sha !== null && request.sha !== merge.goal.sha) return end({ _tag: 'Moved', request })
  const mergeability = mergeabilityOf(request.mergeStatus)
  if (mergeability === 'conflict') return fail(known, { _tag: 'Conflicting' })
  if (mergeability === 'empty') return end({ _tag: 'Empty', request })
  // The forge may answer a merge before it has merged; then the request is read until it is.
  const isReady = request.state === 'opened' && request.sha !== null && mergeability === 'mergeable'
  if (!isReady || merge.call._tag === 'MergeRequest')
    return poll(known, request, request.mergeStatus ?? request.state, now)
  const call: ForgeCall = { _tag: 'MergeRequest', iid: request.iid, sha: merge.goal.sha }
  return callAfter({ ...known, call, hasAsked: true }, 0, 'mergeable', now)
}

const goOnFromList = (
  merge: RequestMerge,
  requests: ReadonlyArray<ForgeRequest>,
  now: Now,
): RequestMergeStep => {
  const request = pickRequest(merge.goal, requests)
  if (request !== null) return goOnWith(merge, request, now)
  const next = { ...merge, call: openOf(merge.goal), request: null }
  return callAfter(next, 0, 'not_opened', now)
}

/** Looks at what the forge has after a call whose effect is unknown. */
const look = (merge: RequestMerge, waitMs: number, status: string, now: Now): RequestMergeStep => {
  const { request, goal, failures } = merge
  const call = request === null ? listOf(goal) : readOf(request)
  return callAfter({ ...merge, call, failures: failures + 1 }, waitMs, status, now)
}

const goOnAfter = (
  merge: RequestMerge,
  reaction: ForgeReaction,
  status: string,
  now: Now,
): RequestMergeStep => {
  switch (reaction._tag) {
    case 'Stop':
      return fail(merge, reaction.refusal)
    case 'Retry':
      return callAfter({ ...merge, failures: merge.failures + 1 }, reaction.waitMs, status, now)
    case 'Look':
      return look(merge, reaction.waitMs, status, now)
    case 'Adopt':
    case 'Wait':
      if (merge.request !== null) return poll(merge, merge.request, status, now)
      // The first look is at once. The forge may also refuse with 409 where it lists no request: then they slow down.
      return look(merge, pollMs(merge.failures) - pollMs(0), status, now)
    case 'Use': {
      const { result } = reaction
      const isList = merge.call._tag === 'ListRequests'
      if (result._tag === 'Request' && !isList) return goOnWith(merge, result.request, now)
      if (result._tag === 'Requests' && isList) return goOnFromList(merge, result.requests, now)
      // The port gives the result of the call that was made; anything else is looked into.
      return look(merge, pollMs(merge.failures), status, now)
    }
  }
}

/** A request that this daemon closes, because its own job with it failed. */
interface RequestClosingGoal {
  readonly iid: number
  readonly town: string
  readonly reason: string
  /** On the monotonic clock. No call begins at or after it. */
  readonly deadlineAtMs: number
}

const endClosing = (what: RequestClosingEnd): RequestClosingStep => ({ _tag: 'End', end: what })

const closeAfter = (closing: RequestClosing, afterMs: number, { monotonicMs }: Now): RequestClosingStep =>
  monotonicMs + afterMs >= closing.goal.deadlineAtMs
    ? endClosing({ _tag: 'Failed', fault: { _tag: 'TimedOut' } })
    : { _tag: 'Call', afterMs, closing }

const readToClose = ({ iid }: RequestClosingGoal): ForgeCall => ({ _tag: 'ReadRequest', iid })

const readAgain = (closing: RequestClosing, waitMs: number, now: Now): RequestClosingStep =>
  closeAfter({ ...closing, call: readToClose(closing.goal), failures: closing.failures + 1 }, waitMs, now)

const goOnClosingWith = (closing: RequestClosing, request: ForgeRequest, now: Now): RequestClosingStep => {
  if (request.state === 'merged') return endClosing({ _tag: 'Merged', request })
  if (request.state === 'closed') return endClosing({ _tag: 'Closed', request })
  const { iid, town, reason } = closing.goal
  if (closing.call._tag === 'CloseRequest' || request.state === 'locked')
    return readAgain(closing, 1_000 * 2 ** Math.min(closing.failures, 4), now)
  const description = appendClosingLine(request.description, town, reason)
  return closeAfter({ ...closing, call: { _tag: 'CloseRequest', iid, description } }, 0, now)
}

const goOnClosingAfter = (closing: RequestClosing, reaction: ForgeReaction, now: Now): RequestClosingStep => {
  switch (reaction._tag) {
    case 'Stop':
      return endClosing({ _tag: 'Failed', fault: reaction.refusal })
    case 'Retry':
    case 'Look':
      return readAgain(closing, reaction.waitMs, now)
    case 'Adopt':
    case 'Wait':
      return readAgain(closing, 1_000, now)
    case 'Use':
      return reaction.result._tag === 'Request'
        ? goOnClosingWith(closing, reaction.result.request, now)
        : readAgain(closing, 1_000, now)
  }
}

/**
 * Whether a request can be merged. `pending`: the forge still checks, or waits for people or pipelines.
 * `conflict`: the target branch has moved in a way that only another commit mends. `empty`: the target branch has
 * every commit of the request.
 */
type Mergeability = 'mergeable' | 'pending' | 'conflict' | 'empty'

/** Why no repetition of the call can help. */
type ForgeRefusal =
  | { readonly _tag: 'Denied'; readonly status: 401 | 403 }
  | { readonly _tag: 'Missing' }
  | { readonly _tag: 'Refused'; readonly status: number }

/** Failures in which the forge has seen no request. */
const unseen: ReadonlySet<OutboundFailure> = new Set(['not_sent', 'refused', 'tls'])

/**
 * The wait before the next attempt: what the forge asks for, else 2 s · 2^attempt, a minute at most. A forge
 * that asks for less than a second, as with a date that is past, would be called in a tight loop.
 */
const nextWaitMs = (asked: number | null, attempt: number): number =>
  asked !== null && asked >= 1_000 ? asked : defaultWaitMs(attempt)

/** The merge failed; the request, when it is read again, says why. */
const mergeRefusals: ReadonlySet<number> = new Set([406, 422])
