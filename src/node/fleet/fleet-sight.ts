import type { FleetView } from '#src/domain/fleet/candidates.js'
import type { TopologyFence } from '#src/domain/fleet/fence.js'
import type { ProbeResult } from '#src/domain/fleet/takeover/action.js'

/** What a takeover reads of the fleet, at the time of the call and from memory. */
export interface FleetSight {
  /** The version of the topology that this host obeys; null off the fleet. */
  readonly fence: () => TopologyFence | null
  /** The towns as this host sees them; null off the fleet. */
  readonly view: () => FleetView | null
  /** Asks a town for its card now. */
  readonly probe: (town: string, signal: AbortSignal) => Promise<ProbeResult>
}

/** A host that is in no fleet. */
export const noFleet: FleetSight = {
  fence: () => null,
  view: () => null,
  probe: () => Promise.resolve('not_sent'),
}
