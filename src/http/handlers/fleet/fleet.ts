import { right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms.js'
import type { Workload } from '#protocol/config.js'
import type { fleetRoutes } from '#protocol/fleet/peer-routes.js'
import type { StatusCard } from '#protocol/fleet/peers.js'
import type { FleetState } from '#src/domain/fleet/fleet-state.js'
import { cardMinutesOf } from '#src/domain/fleet/peers.js'
import { cardRoleOf, type IdleReason } from '#src/domain/fleet/role.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

export interface FleetDeps {
  readonly version: string
  readonly bootMs: number
  readonly bootId: string
  readonly imageDigest: string
  /** The part of this host in the fleet, as last read. */
  readonly fleet: () => FleetState
  /** Age of the last full converge; null where sync is disabled or none succeeded yet. */
  readonly syncAgeMs: () => number | null
  /** Why this host may not do what the fleet always owns, such as its notices; null where it may. */
  readonly whyNoDuty: () => IdleReason | null
  /** Why this host may not run the tick of a workload, by the owner in the present snapshot; null where it may. */
  readonly whyNoTick: (workload: Workload) => IdleReason | null
}

/** The status card of this host. */
export const statusCardOf = (node: FleetDeps, snapshot: Snapshot | null, nowMs: number): StatusCard => {
  const { town, role } = node.fleet()
  return {
    town,
    role: cardRoleOf(role),
    nowUtc: instantOf(nowMs),
    bootUtc: instantOf(node.bootMs),
    bootId: node.bootId,
    uptimeSeconds: Math.max(0, Math.floor((nowMs - node.bootMs) / 1_000)),
    imageDigest: node.imageDigest,
    schemaVersion: snapshot?.format.stamped ?? null,
    syncAgeMinutes: cardMinutesOf(node.syncAgeMs()),
    version: node.version,
  }
}

export const fleetHandlers: Handlers<typeof fleetRoutes, FleetDeps> = {
  'fleet.status.get': ({ node, snapshot, nowMs }) => right({ body: statusCardOf(node, snapshot, nowMs) }),
}
