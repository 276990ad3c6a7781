import type { ObeyedTopology } from '#protocol/fleet/peers.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { TopologyFence } from './fence.js'
import { decideRole, type FleetRole, modeOfRole, obeyTopology, type TopologySource } from './role.js'
import type { Topology, Town } from './topology.js'

/** One version of `.svc/fleet.json` as the repository has it. */
export interface TopologyVersion {
  readonly source: TopologySource
  /** Null where there is no file. */
  readonly fence: TopologyFence | null
}

/**
 * The part that this host has in the fleet. The host has one such value. The topology watch updates it: at the
 * start, after each fetch and at the end of each converge. Readers take the current value and do no I/O.
 */
export interface FleetState {
  /** The town of this host; empty where it was started without one. */
  readonly town: string
  readonly role: FleetRole
  /** Null where the host is alone, has fetched nothing yet, or the file cannot be used. */
  readonly topology: Topology | null
  /** The version that `topology` was read from; null where there is no file. */
  readonly fence: TopologyFence | null
  /** The flip that this host obeyed last, as `runtime.db` keeps it. */
  readonly obeyed: ObeyedTopology | null
  /** Whether this boot has finished a converge. */
  readonly hasConverged: boolean
  /** What is wrong with the file, in Polish. */
  readonly findings: ReadonlyArray<Finding>
}

/** The state before the file was read: with a town, a replica without duties (S1). */
export const firstFleetState = (town: string, obeyed: ObeyedTopology | null): FleetState =>
  fleetStateOf({ source: { _tag: 'NotFetched' }, fence: null }, { town, obeyed, hasConverged: false })

/** The state that follows from a version of the file, from what this host obeyed before, and from its name. */
export const fleetStateOf = (
  { source, fence }: TopologyVersion,
  { town, obeyed, hasConverged }: Pick<FleetState, 'town' | 'obeyed' | 'hasConverged'>,
): FleetState => {
  const { role, topology, findings } = decideRole({ town, source, obeyed })
  const now = topology === null || role === 'lost' ? obeyed : obeyTopology(topology, obeyed)
  return { town, role, topology, fence, obeyed: now, hasConverged, findings }
}

const noTowns: ReadonlyMap<string, Town> = new Map()

/** The towns that this host watches: all others of a topology that lists it. */
export const otherTowns = ({ town, topology }: FleetState): ReadonlyMap<string, Town> =>
  topology === null || !topology.towns.has(town)
    ? noTowns
    : new Map([...topology.towns].filter(([name]) => name !== town))

/** The mode that the state asks for (D29, D47). */
export const modeOfFleet = ({ role, hasConverged }: FleetState): 'ReadWrite' | 'ReadOnly' =>
  modeOfRole(role, hasConverged)
