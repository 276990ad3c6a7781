import { LastingFailure, type TakeoverFailure } from '#protocol/fleet/takeover.js'
import { noTownView, rankCandidates } from '../candidates.js'
import type { TopologyFence } from '../fence.js'
import {
  type TakeoverFacts,
  type TakeoverRefusal,
  type TakeoverRequest,
  takeoverRefusals,
} from '../takeover-refusals.js'

/** What this host knows by itself when it decides whether to ask for a takeover (D48). */
export interface FailoverInput {
  readonly facts: TakeoverFacts
  /** `fleet.auto_failover.enabled`. */
  readonly isEnabled: boolean
  /** The version of the topology that this host obeys; null off the fleet. */
  readonly fence: TopologyFence | null
  /** Whether this host has a takeover job that has not ended. */
  readonly hasActiveJob: boolean
  /** How jobs of this host for this version of the topology failed. */
  readonly failures: ReadonlyArray<TakeoverFailure>
}

export type NoFailoverReason =
  | 'disabled'
  | 'no_candidate_here'
  | 'too_early'
  | 'job_active'
  | 'job_failed'
  | TakeoverRefusal['_tag']

/** The takeover that a host asks for by itself. */
export const automaticRequest = (self: string): TakeoverRequest => ({
  reason: 'automatic failover',
  target: self,
  isForced: false,
})

/**
 * Returns why this host does not ask for a takeover by itself; null where it asks, unless the forge shows a
 * request that forbids it. The k-th candidate, counted from 1, asks when the apex has been dark for
 * `after_sweeps` + k − 1 sweeps, at least one, so the next one asks where the first cannot.
 */
export const whyNoFailover = ({
  facts,
  isEnabled,
  fence,
  hasActiveJob,
  failures,
}: FailoverInput): NoFailoverReason | null => {
  if (!isEnabled) return 'disabled'
  const { fleet, self, afterSweeps } = facts
  const rank = fleet === null ? -1 : rankCandidates(fleet).indexOf(self)
  if (fleet === null || fence === null || rank === -1) return 'no_candidate_here'
  const { consecutiveMisses } = fleet.views.get(fleet.topology.apex) ?? noTownView
  if (consecutiveMisses < Math.max(1, afterSweeps) + rank) return 'too_early'
  if (hasActiveJob) return 'job_active'
  if (failures.some(LastingFailure.is)) return 'job_failed'
  const [refusal] = takeoverRefusals(facts, automaticRequest(self))
  return refusal?._tag ?? null
}
