import type { ForgeCall, ForgeOutcome, ForgeRequest } from '#protocol/forge.js'
import { hasClosingLine } from './closing-line.js'
import { mergeabilityOf } from './mergeability.js'
import { pickRequest } from './pick-request.js'
import { type ForgeReaction, type ForgeRefusal, reactTo } from './react.js'

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

/** Why no request was merged; `RequestMergeEnd` adds the request, if one was seen. */
export type RequestMergeFault =
  | ForgeRefusal
  /** The request conflicts with the target branch. */
  | { readonly _tag: 'Conflicting' }
  /** The time is over; `status` is the last `detailed_merge_status`, or the last outcome of a call. */
  | { readonly _tag: 'TimedOut'; readonly status: string }

export type RequestMergeEnd =
  /** A request of the branch is merged, perhaps by another host and with another commit. */
  | { readonly _tag: 'Merged'; readonly request: ForgeRequest }
  /** The branch has another commit: another host claims it. */
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
  /** Attempts that failed. */
  readonly failures: number
  /** Looks at a request that could not be merged yet. */
  readonly polls: number
}

/** The next call, to be made after a wait; or the end. */
export type RequestMergeStep =
  | { readonly _tag: 'Call'; readonly afterMs: number; readonly merge: RequestMerge }
  | { readonly _tag: 'End'; readonly end: RequestMergeEnd }

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

/**
 * Begins with the list of the branch's requests, because an earlier process of this host, or another host, may
 * have opened one.
 */
export const beginRequestMerge = (goal: RequestMergeGoal, now: Now): RequestMergeStep =>
  callAfter({ goal, call: listOf(goal), request: null, failures: 0, polls: 0 }, 0, 'not_asked', now)

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
  return callAfter({ ...known, call }, 0, 'mergeable', now)
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
