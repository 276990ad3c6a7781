import { noTownView, rankCandidates } from './candidates.js'
import { type TakeoverFacts, type TakeoverRefusal, takeoverRefusals } from './takeover-refusals.js'

/** What a sweep looks at before this host asks for a takeover by itself (D48). */
export interface FailoverInput {
  readonly facts: TakeoverFacts
  /** `fleet.auto_failover.enabled`. */
  readonly isEnabled: boolean
  /** Whether a request for this version of the topology is open, by the last look at the forge. */
  readonly hasOpenRequest: boolean
  /** Whether a person closed the request for this version of the topology. */
  readonly isVetoed: boolean
}

export type NoFailoverReason =
  | 'disabled'
  | 'no_candidate_here'
  | 'too_early'
  | 'request_open'
  | 'vetoed'
  | TakeoverRefusal['_tag']

/**
 * Why this host does not ask for a takeover that names it; null where it asks. The k-th candidate, counted from
 * 1, asks when the apex has been dark for `after_sweeps` + k − 1 sweeps, so the next one asks where the first
 * cannot.
 */
export const whyNoFailover = (input: FailoverInput): NoFailoverReason | null => {
  const { facts, isEnabled, hasOpenRequest, isVetoed } = input
  const { fleet, self, afterSweeps } = facts
  if (!isEnabled) return 'disabled'
  const rank = fleet === null ? -1 : rankCandidates(fleet).indexOf(self)
  if (fleet === null || rank === -1) return 'no_candidate_here'
  const { consecutiveMisses } = fleet.views.get(fleet.topology.apex) ?? noTownView
  if (consecutiveMisses < afterSweeps + rank) return 'too_early'
  if (hasOpenRequest) return 'request_open'
  if (isVetoed) return 'vetoed'
  const request = { reason: 'automatic failover', target: self, isForced: false }
  const [refusal] = takeoverRefusals(facts, request)
  return refusal?._tag ?? null
}
