import type { ForgeOutcome, ForgeRequest } from '#protocol/forge/answer.js'
import type { ForgeCall } from '#protocol/forge/call.js'
import { hasClosingLine } from './closing-line.js'
import { mergeabilityOf } from './mergeability.js'
import { type ForgeReaction, type ForgeRefusal, reactTo } from './react.js'

/** A branch that is on the forge and is to be merged by a request. */
export interface LandingGoal {
  readonly sourceBranch: string
  readonly targetBranch: string
  /** The commit that the branch must be at. */
  readonly sha: string
  readonly title: string
  readonly description: string
  /** On the monotonic clock. No call begins at or after it. */
  readonly deadlineAtMs: number
}

/** Why a landing ended without a merge; `LandingEnd` adds the request, if one was seen. */
export type LandingFault =
  | ForgeRefusal
  /** The request conflicts with the target branch. */
  | { readonly _tag: 'Conflicting' }
  /** The time is over; `status` is the last `detailed_merge_status`, or the last outcome of a call. */
  | { readonly _tag: 'TimedOut'; readonly status: string }

export type LandingEnd =
  /** A request of the branch is merged, perhaps by another host and with another commit. */
  | { readonly _tag: 'Merged'; readonly request: ForgeRequest }
  /** The branch has another commit: another host claims it. */
  | { readonly _tag: 'Moved'; readonly request: ForgeRequest }
  /** A person closed the request. */
  | { readonly _tag: 'Vetoed'; readonly request: ForgeRequest }
  /** A daemon closed the request while this landing used it. */
  | { readonly _tag: 'Withdrawn'; readonly request: ForgeRequest }
  | { readonly _tag: 'Failed'; readonly fault: LandingFault; readonly request: ForgeRequest | null }

/** The call that is under way, and what is known from earlier ones. */
export interface Landing {
  readonly goal: LandingGoal
  readonly call: ForgeCall
  readonly request: ForgeRequest | null
  /** Attempts that failed. */
  readonly failures: number
  /** Looks at a request that could not be merged yet. */
  readonly polls: number
}

/** The next call, to be made after a wait; or the end. */
export type LandingStep =
  | { readonly _tag: 'Call'; readonly afterMs: number; readonly landing: Landing }
  | { readonly _tag: 'End'; readonly end: LandingEnd }

/** The wait before the next look at a request: 1 s · 2^polls, ten seconds at most. */
const pollMs = (polls: number): number => Math.min(10_000, 1_000 * 2 ** Math.min(polls, 4))

const listOf = ({ sourceBranch }: LandingGoal): ForgeCall => ({ _tag: 'ListRequests', sourceBranch })
const openOf = ({ sourceBranch, targetBranch, title, description }: LandingGoal): ForgeCall => ({
  _tag: 'OpenRequest',
  sourceBranch,
  targetBranch,
  title,
  description,
})
const readOf = ({ iid }: ForgeRequest): ForgeCall => ({ _tag: 'ReadRequest', iid })

const end = (what: LandingEnd): LandingStep => ({ _tag: 'End', end: what })
const fail = ({ request }: Landing, fault: LandingFault): LandingStep =>
  end({ _tag: 'Failed', fault, request })

interface Now {
  readonly monotonicMs: number
}

/** Makes the call after the wait, or ends where the wait takes until the deadline. */
const callAfter = (landing: Landing, afterMs: number, status: string, { monotonicMs }: Now): LandingStep =>
  monotonicMs + afterMs >= landing.goal.deadlineAtMs
    ? fail(landing, { _tag: 'TimedOut', status })
    : { _tag: 'Call', afterMs, landing }

/**
 * Begins with the list of the branch's requests, because an earlier process of this host, or another host, may
 * have opened one.
 */
export const beginLanding = (goal: LandingGoal, now: Now): LandingStep =>
  callAfter({ goal, call: listOf(goal), request: null, failures: 0, polls: 0 }, 0, 'not_asked', now)

const poll = (landing: Landing, request: ForgeRequest, status: string, now: Now): LandingStep =>
  callAfter(
    { ...landing, call: readOf(request), request, polls: landing.polls + 1 },
    pollMs(landing.polls),
    status,
    now,
  )

/** Goes on by the state of the request as the forge has just shown it. */
const goOnWith = (landing: Landing, request: ForgeRequest, now: Now): LandingStep => {
  const known = { ...landing, request }
  if (request.state === 'merged') return end({ _tag: 'Merged', request })
  if (request.state === 'closed')
    return end({ _tag: hasClosingLine(request.description) ? 'Withdrawn' : 'Vetoed', request })
  if (request.sha !== null && request.sha !== landing.goal.sha) return end({ _tag: 'Moved', request })
  const mergeability = mergeabilityOf(request.mergeStatus)
  if (mergeability === 'conflict') return fail(known, { _tag: 'Conflicting' })
  // The forge may answer a merge before it has merged; then the request is read until it is.
  const isReady = request.state === 'opened' && request.sha !== null && mergeability === 'mergeable'
  if (!isReady || landing.call._tag === 'MergeRequest')
    return poll(known, request, request.mergeStatus ?? request.state, now)
  const call: ForgeCall = { _tag: 'MergeRequest', iid: request.iid, sha: landing.goal.sha }
  return callAfter({ ...known, call }, 0, 'mergeable', now)
}

/**
 * Picks the request to go on with: one that is merged, else one that is open, else one that a person closed.
 * Those that a daemon closed are over. Null: a request is to be opened.
 */
const pickRequest = (goal: LandingGoal, requests: ReadonlyArray<ForgeRequest>): ForgeRequest | null => {
  const ours = requests.filter(one => one.targetBranch === goal.targetBranch)
  return (
    ours.find(({ state }) => state === 'merged') ??
    ours.find(({ state }) => state !== 'closed') ??
    ours.find(({ description }) => !hasClosingLine(description)) ??
    null
  )
}

const goOnFromList = (landing: Landing, requests: ReadonlyArray<ForgeRequest>, now: Now): LandingStep => {
  const request = pickRequest(landing.goal, requests)
  if (request !== null) return goOnWith(landing, request, now)
  const next = { ...landing, call: openOf(landing.goal), request: null }
  return callAfter(next, 0, 'not_opened', now)
}

/** Looks at what the forge has after a call whose effect is unknown. */
const look = (landing: Landing, waitMs: number, status: string, now: Now): LandingStep => {
  const { request, goal, failures } = landing
  const call = request === null ? listOf(goal) : readOf(request)
  return callAfter({ ...landing, call, failures: failures + 1 }, waitMs, status, now)
}

const goOnAfter = (landing: Landing, reaction: ForgeReaction, status: string, now: Now): LandingStep => {
  switch (reaction._tag) {
    case 'Stop':
      return fail(landing, reaction.refusal)
    case 'Retry':
      return callAfter({ ...landing, failures: landing.failures + 1 }, reaction.waitMs, status, now)
    case 'Look':
      return look(landing, reaction.waitMs, status, now)
    case 'Adopt':
    case 'Wait':
      if (landing.request !== null) return poll(landing, landing.request, status, now)
      // The first look is at once. The forge may also refuse with 409 where it lists no request: then they slow down.
      return look(landing, pollMs(landing.failures) - pollMs(0), status, now)
    case 'Use': {
      const { result } = reaction
      const isList = landing.call._tag === 'ListRequests'
      if (result._tag === 'Request' && !isList) return goOnWith(landing, result.request, now)
      if (result._tag === 'Requests' && isList) return goOnFromList(landing, result.requests, now)
      // The port gives the result of the call that was made; anything else is looked into.
      return look(landing, pollMs(landing.failures), status, now)
    }
  }
}

const statusOf = (outcome: ForgeOutcome): string => {
  if (outcome._tag === 'NoAnswer') return outcome.failure
  return 'status' in outcome ? `status ${outcome.status}` : outcome._tag
}

/**
 * Opens or adopts a request for the branch and merges it, one call after another: takes the outcome of the call
 * under way and returns the next one. Ends at the deadline at the latest, and never merges another commit than
 * that of the goal.
 */
export const advanceLanding = (landing: Landing, outcome: ForgeOutcome, now: Now): LandingStep =>
  goOnAfter(landing, reactTo(landing.call, outcome, landing.failures), statusOf(outcome), now)
