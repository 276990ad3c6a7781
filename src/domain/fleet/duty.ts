import type { ScheduleOwner } from '#protocol/config.js'
import { isSameFence, type TopologyFence } from './fence.js'
import { type FleetRole, isApexRole } from './role.js'

/** What a tick looks at before it acts. */
export interface DutyInput {
  readonly role: FleetRole
  /** Whether this boot has finished a converge. */
  readonly hasConverged: boolean
  /** Age of the last converge, time asleep included; null where sync is disabled. */
  readonly syncAgeMs: number | null
  /** `server.sync_max_age_min`. */
  readonly syncMaxAgeMs: number
  /** The key `schedules.*` of the tick. */
  readonly owner: ScheduleOwner
}

/** Why a tick does nothing. */
export type IdleReason = 'not_owner' | 'not_apex' | 'not_converged' | 'sync_stale'

/**
 * Why this host may not do the work of a tick; null where it has the duty. Asked before the plan and, with the
 * fence, before the push (D47). A host that is alone has every duty that the fleet owns.
 */
export const whyNoDuty = ({
  role,
  hasConverged,
  syncAgeMs,
  syncMaxAgeMs,
  owner,
}: DutyInput): IdleReason | null => {
  if (owner !== 'fleet') return 'not_owner'
  if (role === 'alone') return null
  if (!isApexRole(role)) return 'not_apex'
  if (!hasConverged) return 'not_converged'
  return syncAgeMs === null || syncAgeMs > syncMaxAgeMs ? 'sync_stale' : null
}

/** Why a host may not push what its tick planned. */
export type NoPushReason = IdleReason | 'topology_changed'

/** What decides, at one moment, whether the work of a tick is this host's. */
export interface DutySight {
  /** Null where the host has the duty. */
  readonly whyNot: IdleReason | null
  /** The version of the topology that gives the duty; null where there is no file. */
  readonly fence: TopologyFence | null
}

/**
 * Why a host may not push what it planned under `planned`; null where it may. A host that lost the duty and has it
 * again plans again, because another host may have done the work between.
 */
export const whyNoPush = (planned: DutySight, now: DutySight): NoPushReason | null => {
  if (now.whyNot !== null) return now.whyNot
  const [before, after] = [planned.fence, now.fence]
  const isSame = before === null || after === null ? before === after : isSameFence(before, after)
  return isSame ? null : 'topology_changed'
}
