import { LastingFailure, type TakeoverFailure } from '#protocol/fleet/takeover.js'
import type { ForgeOutcome } from '#protocol/host/forge.js'
import { pickRequest } from '#src/domain/forge/wire.js'
import { noTownView, rankCandidates } from './candidates.js'
import type { TopologyFence } from './role.js'
import {
  type TakeoverFacts,
  type TakeoverRefusal,
  type TakeoverRequest,
  takeoverRefusals,
} from './takeover-refusals.js'

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

/** What a host remembers of its own asking, for one version of the topology. */
export interface FailoverMemory {
  /** The commit of the version; null before the first sweep that calls for a takeover. */
  readonly fenceCommit: string | null
  /** Takeovers that this host asked for. */
  readonly asks: number
  /** Sweeps that pass before the next look. */
  readonly restSweeps: number
  /** The open request that the last looks showed, and how many of them. */
  readonly open: { readonly iid: number | null; readonly looks: number } | null
}

export const freshFailover: FailoverMemory = { fenceCommit: null, asks: 0, restSweeps: 0, open: null }

/**
 * Returns the memory after a sweep that calls for a takeover of this version, and whether the host looks at the
 * forge now. After the n-th job that failed, 2^(n−1) − 1 sweeps pass, 3 at most.
 */
export const passSweep = (
  memory: FailoverMemory,
  fenceCommit: string,
): { readonly memory: FailoverMemory; readonly isDue: boolean } => {
  const known = memory.fenceCommit === fenceCommit ? memory : { ...freshFailover, fenceCommit }
  return known.restSweeps > 0
    ? { memory: { ...known, restSweeps: known.restSweeps - 1 }, isDue: false }
    : { memory: known, isDue: true }
}

/**
 * Returns the memory after a look at the forge, and whether the host asks. An open request is the work of another
 * host: it holds this one back for two looks, and then counts as abandoned.
 */
export const passLook = (
  memory: FailoverMemory,
  { seen, iid }: RequestView,
): { readonly memory: FailoverMemory; readonly asks: boolean } => {
  if (seen === 'unknown') return { memory, asks: false }
  if (seen !== 'open') return { memory: { ...memory, open: null }, asks: seen === 'none' }
  const looks = memory.open?.iid === iid ? memory.open.looks + 1 : 1
  return { memory: { ...memory, open: { iid, looks } }, asks: looks > looksHeld }
}

/** The memory after a takeover was asked for. */
export const passAsk = (memory: FailoverMemory): FailoverMemory => {
  const restSweeps = Math.min(sweepsMost, 2 ** memory.asks) - 1
  return { ...memory, asks: memory.asks + 1, restSweeps }
}

/**
 * What the forge shows of the requests for a version of the topology. `vetoed`: a person closed one. `unknown`: the
 * look failed.
 */
export interface RequestView {
  readonly seen: 'none' | 'open' | 'merged' | 'vetoed' | 'unknown'
  readonly iid: number | null
}

/** Reads the answer to the list of the requests of a takeover's branch. */
export const seeRequests = (
  outcome: ForgeOutcome,
  version: string,
  targetBranch: string | null,
): RequestView => {
  if (outcome._tag !== 'Requests') return { seen: 'unknown', iid: null }
  const picked = pickRequest({ version, targetBranch }, outcome.requests)
  if (picked === null) return { seen: 'none', iid: null }
  const { iid, state } = picked
  if (state === 'merged') return { seen: 'merged', iid }
  return { seen: state === 'closed' ? 'vetoed' : 'open', iid }
}

type NoFailoverReason =
  | 'disabled'
  | 'no_candidate_here'
  | 'too_early'
  | 'job_active'
  | 'job_failed'
  | TakeoverRefusal['_tag']

/** A host looks at least once in this many sweeps, however often its jobs failed. */
const sweepsMost = 4
/** Looks in a row at which one open request holds this host back. */
const looksHeld = 2
