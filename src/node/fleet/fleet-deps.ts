import type { Config, ScheduleOwner } from '#protocol/config.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { configPath, readSchedules } from '#src/domain/config/schedules.js'
import { type IdleReason, whyNoDuty } from '#src/domain/fleet/role.js'
import type { Topology } from '#src/domain/fleet/topology.js'
import type { FleetDeps } from '#src/http/handlers/fleet.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { HostSync } from '../sync/host-sync.js'
import type { NodeParts } from '../tree/node-parts.js'
import type { FleetWatch } from './role/fleet-watch.js'

const minuteMs = 60_000

interface DutySources {
  /** The snapshot that the host serves; null before the first. */
  readonly snapshot: () => Pick<Snapshot, 'files'> | null
  readonly config: Pick<Config, 'server.sync_max_age_min'>
  readonly fleet: Pick<FleetWatch, 'state'>
  readonly sync: Pick<HostSync, 'ageMs'>
}

/** What the front needs of the fleet, and every tick before it acts. */
export const fleetDeps = ({
  snapshot,
  config,
  fleet,
  sync,
}: DutySources): Pick<FleetDeps, 'fleet' | 'syncAgeMs' | 'whyNoDuty' | 'whyNoTick'> => {
  const whyNot = (owner: ScheduleOwner): IdleReason | null => {
    const maxMinutes = config['server.sync_max_age_min']
    return whyNoDuty({
      ...fleet.state(),
      syncAgeMs: sync.ageMs(),
      syncMaxAgeMs: maxMinutes === 0 ? Number.POSITIVE_INFINITY : maxMinutes * minuteMs,
      owner,
    })
  }
  return {
    fleet: fleet.state,
    syncAgeMs: sync.ageMs,
    whyNoDuty: () => whyNot('fleet'),
    whyNoTick: workload => {
      const served = snapshot()
      // Before the first snapshot no owner is known, so no tick runs.
      if (served === null) return 'not_converged'
      return whyNot(readSchedules(served.files.get(configPath) ?? null).of(workload).owner)
    },
  }
}

const noHosts: ReadonlySet<string> = new Set()

const hostsByTown = perValue(
  ({ towns }: Topology): ReadonlyMap<string, ReadonlySet<string>> =>
    new Map([...towns.values()].map(({ name, url }) => [name, new Set([new URL(url).hostname])])),
)

/** Returns the function that reads the host of this town's `url`, under which it is published (D34). */
export const makeHostsReader =
  ({ fleet }: Pick<NodeParts, 'fleet'>): (() => ReadonlySet<string>) =>
  () => {
    const { topology, town } = fleet.state()
    return topology === null ? noHosts : (hostsByTown(topology).get(town) ?? noHosts)
  }
