import type { ForgeCall, ForgeOutcome, ForgeResult } from '#protocol/forge.js'
import type { OutboundFailure } from '#protocol/outbound.js'
import { defaultWaitMs } from '#src/domain/outbound/retry-after.js'
import { changesForge } from './forge-wire.js'

/** Why no repetition of the call can help. */
export type ForgeRefusal =
  | { readonly _tag: 'Denied'; readonly status: 401 | 403 }
  | { readonly _tag: 'Missing' }
  | { readonly _tag: 'Refused'; readonly status: number }

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
