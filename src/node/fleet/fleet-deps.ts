import type { Config } from '#protocol/config/keys.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { whyNoDuty } from '#src/domain/fleet/duty.js'
import type { Topology } from '#src/domain/fleet/topology.js'
import type { FleetDeps } from '#src/http/handlers/fleet/fleet.js'
import type { HostSync } from '../sync/host-sync.js'
import type { NodeParts } from '../tree/node-parts.js'
import type { FleetWatch } from './role/fleet-watch.js'

const minuteMs = 60_000

interface DutySources {
  readonly config: Pick<Config, 'server.sync_max_age_min'>
  readonly fleet: Pick<FleetWatch, 'state'>
  readonly sync: Pick<HostSync, 'ageMs'>
}

/** What the front needs of the fleet, and every tick before it acts. */
export const fleetDeps = ({
  config,
  fleet,
  sync,
}: DutySources): Pick<FleetDeps, 'fleet' | 'syncAgeMs' | 'whyNoDuty'> => ({
  fleet: fleet.state,
  syncAgeMs: sync.ageMs,
  whyNoDuty: owner => {
    const maxMinutes = config['server.sync_max_age_min']
    return whyNoDuty({
      ...fleet.state(),
      syncAgeMs: sync.ageMs(),
      syncMaxAgeMs: maxMinutes === 0 ? Number.POSITIVE_INFINITY : maxMinutes * minuteMs,
      owner,
    })
  },
})

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
