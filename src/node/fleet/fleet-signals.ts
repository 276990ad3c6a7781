import type { FleetState } from '#src/domain/fleet/fleet-state.js'
import { namesOtherApex } from '#src/domain/fleet/role.js'
import { tell } from '#src/kernel/actor/ref.js'
import type { Doors } from '../tree/doors.js'
import type { PeersSetup } from './node-peers.js'

/** What the watchers of the other towns send to actors. */
type PeerSignals = Pick<PeersSetup, 'sync' | 'missed' | 'cardRead'>

/** What the fleet state and the watchers send to actors. */
export interface FleetSignals extends PeerSignals {
  /** Called when this host obeys another version of the topology: its cooldown is looked at. */
  readonly versionChanged: () => void
  /** Called when the served commit changed, or a town was probed. */
  readonly derivedChanged: () => void
  /** Called when the role changed the mode: the gate settles it in its turn. */
  readonly modeChanged: () => void
}

interface Connected<Door extends keyof Doors> {
  readonly doors: Pick<Doors, Door>
  readonly state: Pick<FleetState, 'topology'>
}

/** Connects the watchers with the failover and the sync. */
export const peerSignals = (connected: () => Connected<'sync' | 'failover'>): PeerSignals => ({
  sync: () => connected().doors.sync,
  missed: (town, isAllDark) => {
    const { doors, state } = connected()
    if (state.topology?.apex !== town) return
    tell(doors.failover, { _tag: 'Swept' })
    // A converge shows whether this host reaches the remote, or nothing.
    if (isAllDark) tell(doors.sync, { _tag: 'Announced' })
  },
  // The fetched topology alone decides who leads (S1): a card is believed no more than an announcement is.
  cardRead: card => {
    const { doors, state } = connected()
    if (namesOtherApex(card, state.topology)) tell(doors.sync, { _tag: 'Announced' })
  },
})

/** Connects the fleet state and the watchers with the actors, which are placed later than both are made. */
export const fleetSignals = (connected: () => Connected<keyof Doors>): FleetSignals => ({
  ...peerSignals(connected),
  versionChanged: () => void tell(connected().doors.takeovers, { _tag: 'Wake' }),
  derivedChanged: () => void tell(connected().doors.derived, { _tag: 'Wake' }),
  modeChanged: () => void tell(connected().doors.gate, { _tag: 'SettleRole' }),
})
