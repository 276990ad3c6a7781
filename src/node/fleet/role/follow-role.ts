import type { ModeCell } from '#actors/write-gate/ports.js'
import { type FleetState, modeOfFleet } from '#src/domain/fleet/fleet-state.js'

const override = 'POST /admin/mode overrides this until the role changes.'

const whyReadOnly = ({ role, topology, town, findings }: FleetState): string => {
  if (role === 'lost') {
    const kind = findings[0]?.kind ?? 'FleetUnreadable'
    return `.svc/fleet.json gives this host no role (${kind}). Fix the file and publish it. ${override}`
  }
  if (topology === null) return `This host has not fetched .svc/fleet.json since its first start. ${override}`
  if (role === 'replica')
    return `This host is a replica of the fleet; ${topology.apex} takes the writes. ${override}`
  return `${town} leads the fleet and takes writes after its first converge of this start. ${override}`
}

/** The mode that a state asks for, with the reason where that is ReadOnly. */
export const modeStateOf = (state: FleetState): ReturnType<ModeCell['get']> => {
  const mode = modeOfFleet(state)
  return { mode, detail: mode === 'ReadOnly' ? whyReadOnly(state) : null }
}

/** Sets the mode after the state changed; `isRoleChange` is false for the first role of a start. */
export type FollowRole = (state: FleetState, isRoleChange: boolean) => void

/**
 * Returns the function that makes the mode of a host follow its role (D29, D47). A change of the role always sets
 * the mode, except on a gate that the disk closed. Between two changes the mode is only set where nothing but the
 * role has set it before; so an override of a person, or of the configuration (`isSetByRole` false), stays.
 */
export const followRole = (mode: ModeCell, isSetByRole: boolean): FollowRole => {
  let own = isSetByRole ? mode.get() : null
  return (state, isRoleChange) => {
    const now = mode.get()
    const isOwn = now === own
    const isClosedByFault = !isOwn && now.mode === 'ReadOnly' && now.detail !== null
    if (isClosedByFault || (!isOwn && !isRoleChange)) return
    const next = modeStateOf(state)
    own = isOwn && now.mode === next.mode && now.detail === next.detail ? now : next
    mode.set(own)
  }
}
