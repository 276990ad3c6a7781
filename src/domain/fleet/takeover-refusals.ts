import { isBlank } from '#protocol/atoms.js'
import {
  type FleetView,
  type Ineligibility,
  ineligibilitiesOf,
  noTownView,
  rankCandidates,
  rejectionsOf,
  type TownRejection,
} from './candidates.js'

export const takeoverReasonCharsMax = 500

/** The request of `POST /fleet/takeover`. */
export interface TakeoverRequest {
  /** Null where the body has none. */
  readonly reason: string | null
  readonly target: string | null
  readonly isForced: boolean
}

/** The takeover that the cooldown began with. */
export interface TakeoverCooldown {
  /** Null until the forge has answered. */
  readonly mrIid: number | null
  readonly mrUrl: string | null
  /** On the clock of the forge. */
  readonly endsAtMs: number
}

/** What is read in the request that is decided (S4). */
export interface TakeoverFacts {
  /** Whether the host has a token, an address and a project of the forge. */
  readonly canActuate: boolean
  /** Null where none is running. */
  readonly cooldown: TakeoverCooldown | null
  /** Null where this host obeys no topology. */
  readonly fleet: FleetView | null
  /** The town of this host. */
  readonly self: string
  /** `fleet.auto_failover.after_sweeps`. */
  readonly afterSweeps: number
}

export type ReasonFault = 'missing' | 'too_long' | 'control'

export type TakeoverRefusal =
  | { readonly _tag: 'actuation_unavailable' }
  | { readonly _tag: 'bad_request'; readonly fault: ReasonFault }
  | { readonly _tag: 'takeover_cooldown'; readonly cooldown: TakeoverCooldown }
  | {
      readonly _tag: 'target_ineligible'
      readonly target: string
      readonly reasons: ReadonlyArray<Ineligibility>
    }
  | { readonly _tag: 'no_candidate'; readonly rejections: ReadonlyArray<TownRejection> }
  | {
      readonly _tag: 'not_corroborated'
      readonly apex: string
      readonly misses: number
      readonly needed: number
    }

export type TakeoverDecision =
  | { readonly _tag: 'Accepted'; readonly target: string }
  | { readonly _tag: 'Refused'; readonly refusal: TakeoverRefusal }

const reasonFault = (reason: string | null): ReasonFault | null => {
  if (reason === null || isBlank(reason)) return 'missing'
  if (Array.from(reason).length > takeoverReasonCharsMax) return 'too_long'
  return /[\p{Cc}\u2028\u2029\ufffd]/u.test(reason) ? 'control' : null
}

const targetRefusal = (fleet: FleetView | null, target: string | null): TakeoverRefusal | null => {
  if (target === null) return null
  const reasons: ReadonlyArray<Ineligibility> =
    fleet === null ? ['unknown_town'] : ineligibilitiesOf(fleet, target)
  return reasons.length === 0 ? null : { _tag: 'target_ineligible', target, reasons }
}

const candidateRefusal = (fleet: FleetView | null): TakeoverRefusal | null => {
  if (fleet !== null && rankCandidates(fleet).length > 0) return null
  return { _tag: 'no_candidate', rejections: fleet === null ? [] : rejectionsOf(fleet) }
}

/** This host's own probes show the apex dark, or this host is the apex and steps down. */
const corroborationRefusal = ({ fleet, self, afterSweeps }: TakeoverFacts): TakeoverRefusal | null => {
  if (fleet === null) return null
  const { apex, towns } = fleet.topology
  if (self === apex && towns.get(apex)?.isSteppingDown === true) return null
  const misses = self === apex ? 0 : (fleet.views.get(apex) ?? noTownView).consecutiveMisses
  return misses >= afterSweeps ? null : { _tag: 'not_corroborated', apex, misses, needed: afterSweeps }
}

/**
 * Every refusal that the request meets, in the order of A 4.10: the first one is answered. `isForced` removes
 * the last alone (S4). `GET /fleet/peers` shows them all.
 */
export const takeoverRefusals = (
  facts: TakeoverFacts,
  { reason, target, isForced }: TakeoverRequest,
): ReadonlyArray<TakeoverRefusal> => {
  const fault = reasonFault(reason)
  const { canActuate, cooldown, fleet } = facts
  return [
    canActuate ? null : ({ _tag: 'actuation_unavailable' } as const),
    fault === null ? null : ({ _tag: 'bad_request', fault } as const),
    cooldown === null ? null : ({ _tag: 'takeover_cooldown', cooldown } as const),
    targetRefusal(fleet, target),
    candidateRefusal(fleet),
    isForced ? null : corroborationRefusal(facts),
  ].filter(refusal => refusal !== null)
}

/** Decides a takeover: its target is the one that was named, else the first candidate. */
export const decideTakeover = (facts: TakeoverFacts, request: TakeoverRequest): TakeoverDecision => {
  const [refusal] = takeoverRefusals(facts, request)
  if (refusal !== undefined) return { _tag: 'Refused', refusal }
  const [first] = facts.fleet === null ? [] : rankCandidates(facts.fleet)
  const target = request.target ?? first
  return target === undefined
    ? { _tag: 'Refused', refusal: { _tag: 'no_candidate', rejections: [] } }
    : { _tag: 'Accepted', target }
}
