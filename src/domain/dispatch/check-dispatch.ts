import type { DispatchKind, DispatchWanted } from '#protocol/chat/dispatch.js'
import { type KindReading, readKind } from './dispatch-kind.js'

/** The times of a dispatch, as configured. */
export interface DispatchRules {
  readonly windowMs: number
  readonly nearDeadlineMs: number
}

/** What decides a dispatch beside its body. The functions are called in the order of the checks, as far as needed. */
export interface DispatchFacts {
  readonly nowMs: number
  /** The kind under which the interaction was accepted before; null where it was not. */
  readonly findKnown: () => DispatchKind | null
  /** The arm that closes the write gate; null where it is open. */
  readonly findClosedArm: () => string | null
  /** Whether as many interactions wait as may. */
  readonly isFull: () => boolean
  readonly canEnact: (kind: DispatchKind) => boolean
}

export type DispatchRefusal =
  | { readonly _tag: 'Undispatchable'; readonly reading: Exclude<KindReading, { _tag: 'Kind' }> }
  | { readonly _tag: 'Stale'; readonly kind: DispatchKind; readonly ageMs: number }
  | { readonly _tag: 'Late'; readonly kind: DispatchKind; readonly ageMs: number }
  | { readonly _tag: 'Gated'; readonly kind: DispatchKind; readonly arm: string }
  | { readonly _tag: 'Full'; readonly kind: DispatchKind }
  | { readonly _tag: 'EnactorAbsent'; readonly kind: DispatchKind }

export type DispatchDecision =
  | { readonly _tag: 'Accepted'; readonly kind: DispatchKind }
  | { readonly _tag: 'Duplicate'; readonly kind: DispatchKind }
  | { readonly _tag: 'Refused'; readonly refusal: DispatchRefusal }

const refuse = (refusal: DispatchRefusal): DispatchDecision => ({ _tag: 'Refused', refusal })

/** The age of an interaction at its receipt; negative where the clock of the sender is ahead. */
export const ageOf = ({ sentAtEpochMs }: Pick<DispatchWanted, 'sentAtEpochMs'>, nowMs: number): number =>
  Math.trunc(nowMs) - sentAtEpochMs

/**
 * Decides a well-formed dispatch on one reading of the clock. A duplicate comes before every check of time and of
 * the gate, because a refused replay would be enacted a second time by the pipeline (S21). An age equal to a limit
 * passes, and an interaction of the future is never stale (S22). A query passes the gate.
 */
export const checkDispatch = (
  wanted: Pick<DispatchWanted, 'kind' | 'vars' | 'sentAtEpochMs'>,
  facts: DispatchFacts,
  { windowMs, nearDeadlineMs }: DispatchRules,
): DispatchDecision => {
  const reading = readKind(wanted.kind, wanted.vars)
  if (reading._tag !== 'Kind') return refuse({ _tag: 'Undispatchable', reading })
  const { kind } = reading
  const known = facts.findKnown()
  if (known !== null) return { _tag: 'Duplicate', kind: known }
  const ageMs = ageOf(wanted, facts.nowMs)
  if (ageMs > windowMs) return refuse({ _tag: 'Stale', kind, ageMs })
  if (kind === 'report' && ageMs > nearDeadlineMs) return refuse({ _tag: 'Late', kind, ageMs })
  const arm = kind === 'query' ? null : facts.findClosedArm()
  if (arm !== null) return refuse({ _tag: 'Gated', kind, arm })
  if (facts.isFull()) return refuse({ _tag: 'Full', kind })
  if (!facts.canEnact(kind)) return refuse({ _tag: 'EnactorAbsent', kind })
  return { _tag: 'Accepted', kind }
}
