import type { GateRequest } from '#actors/write-gate/messages.js'
import type { ModeCell } from '#actors/write-gate/mode.js'
import type { SyncAction } from '#protocol/host/sync.js'
import type { PeerFacts } from '#src/http/handlers/fleet.js'
import type { Ref } from '#src/kernel/actor/ref.js'
import type { Kernel } from '#src/kernel/kernel.js'
import type { ActorTree } from '#src/kernel/run-tree.js'
import type { NodePeers } from '#src/node/fleet/peers.js'
import type { FleetWatch } from '#src/node/fleet/role.js'
import type { SyncAge } from '#src/node/sync/sync.js'
import type { FleetDuty, Takeovers } from '#src/ports/fleet.js'
import type { WritePort } from '#src/writing/command.js'
import type { SimRepository } from '../sim-repository.js'
import type { Life } from '../weather.js'
import type { HostWorld } from '../world.js'
import type { FleetDisk } from './model/fleet-disk.js'
import type { HostClock } from './model/host-clock.js'

/** What of a host outlives its process, and the one that runs now. */
export interface FleetMember {
  readonly name: string
  readonly at: number
  readonly mode: 'push'
  readonly clock: HostClock
  /** The world on the clock of this host. */
  readonly world: HostWorld
  readonly repository: SimRepository
  readonly disk: FleetDisk
  lastAction: SyncAction | null
  /** An operator waits for an answer of the gate. */
  isSetting: boolean
  lives: number
  /** Faults that hold the host down; it starts when none does. */
  holds: number
  running: FleetRunning | null
}

/** A process of the fleet: the real actors and rules over simulated ports. */
export interface FleetRunning {
  readonly life: Life
  readonly kernel: Kernel
  readonly tree: ActorTree
  readonly write: WritePort
  readonly gate: Ref<GateRequest>
  readonly mode: ModeCell
  readonly watch: FleetWatch
  readonly peers: NodePeers
  readonly age: SyncAge
  /** What the rows of the fleet read. */
  readonly card: FleetDuty & PeerFacts
  readonly desk: Takeovers
}
