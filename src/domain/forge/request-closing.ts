import type { ForgeCall, ForgeOutcome, ForgeRequest } from '#protocol/forge.js'
import { appendClosingLine } from './closing-line.js'
import { type ForgeReaction, type ForgeRefusal, reactTo } from './react.js'

/** A request that this daemon closes, because its own job with it failed. */
export interface RequestClosingGoal {
  readonly iid: number
  readonly town: string
  readonly reason: string
  /** On the monotonic clock. No call begins at or after it. */
  readonly deadlineAtMs: number
}

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

interface Now {
  readonly monotonicMs: number
}

const endClosing = (what: RequestClosingEnd): RequestClosingStep => ({ _tag: 'End', end: what })

const closeAfter = (closing: RequestClosing, afterMs: number, { monotonicMs }: Now): RequestClosingStep =>
  monotonicMs + afterMs >= closing.goal.deadlineAtMs
    ? endClosing({ _tag: 'Failed', fault: { _tag: 'TimedOut' } })
    : { _tag: 'Call', afterMs, closing }

const readToClose = ({ iid }: RequestClosingGoal): ForgeCall => ({ _tag: 'ReadRequest', iid })

/** Begins by reading the request, because the closing line is added to its description as it is now. */
export const beginRequestClosing = (goal: RequestClosingGoal, now: Now): RequestClosingStep =>
  closeAfter({ goal, call: readToClose(goal), failures: 0 }, 0, now)

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

/** Takes the outcome of the call under way and returns the next one. Ends at the deadline at the latest. */
export const advanceRequestClosing = (
  closing: RequestClosing,
  outcome: ForgeOutcome,
  now: Now,
): RequestClosingStep => goOnClosingAfter(closing, reactTo(closing.call, outcome, closing.failures), now)
