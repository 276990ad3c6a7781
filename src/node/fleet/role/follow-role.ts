import type { ModeCell } from '#actors/write-gate/mode.js'
import { type FleetState, modeOfFleet } from '#src/domain/fleet/fleet-state.js'

const override = 'POST /admin/mode overrides this until the role changes.'

const whyReadOnly = ({ role, topology, town, findings }: FleetState): string => {
  if (role === 'lost') {
    const kind = findings[0]?.kind ?? 'FleetUnreadable'
    const remedy =
      kind === 'TownNotListed'
        ? 'Start the host with --town and a town of the file, or add its town there and publish it.'
        : 'Fix the file and publish it.'
    return `.svc/fleet.json gives this host no role (${kind}). ${remedy} ${override}`
  }
  if (topology === null)
    return 'This host has not fetched .svc/fleet.json since its first start. GET /sync shows why.'
  if (role === 'replica') {
    const { apex, towns } = topology
    const address = towns.get(apex)?.url ?? 'the address in .svc/fleet.json'
    return `This host is a replica of the fleet. Send the write to the apex, ${apex}, at ${address}.`
  }
  return `${town} leads the fleet and takes writes after its first converge of this start. Write again after that.`
}

/** The mode that a state asks for, with the reason where that is ReadOnly. */
export const modeStateOf = (state: FleetState): ReturnType<ModeCell['get']> => {
  const mode = modeOfFleet(state)
  return { mode, detail: mode === 'ReadOnly' ? whyReadOnly(state) : null }
}

/** Sets the mode after the state changed; `isRoleChange` is false for the first role of a start. */
export type FollowRole = (state: FleetState, isRoleChange: boolean) => void

type ModeState = ReturnType<ModeCell['get']>

/** The part of the mode that follows the role. */
export interface RoleMode {
  readonly follow: FollowRole
  /**
   * Called in a turn of the gate after `follow` changed the mode: a change of the role overrides a mode that was set
   * in an earlier turn. Returns the mode to report; null where it was reported, or another one stands.
   */
  readonly settle: () => ModeState | null
}

const isClosedByFault = ({ mode, detail }: ModeState): boolean => mode === 'ReadOnly' && detail !== null

/**
 * Makes the mode of a host follow its role (D29, D47). A change of the role always sets the mode, except on a gate
 * that the disk closed. Between two changes the mode is only set where nothing but the role has set it before; so an
 * override of a person, or of the configuration (`isSetByRole` false), stays. The mode is set at once, and
 * `changed` asks the gate for the turn in which it is settled.
 */
export const followRole = (
  mode: ModeCell,
  isSetByRole: boolean,
  changed: () => void = () => undefined,
): RoleMode => {
  let own = isSetByRole ? mode.get() : null
  let pending: { readonly isRoleChange: boolean } | null = null
  return {
    follow: (state, isRoleChange) => {
      const now = mode.get()
      const isOwn = now === own
      if ((!isOwn && isClosedByFault(now)) || (!isOwn && !isRoleChange)) return
      const next = modeStateOf(state)
      own = isOwn && now.mode === next.mode && now.detail === next.detail ? now : next
      mode.set(own)
      if (now.mode === next.mode) return
      pending = { isRoleChange: isRoleChange || pending?.isRoleChange === true }
      changed()
    },
    settle: () => {
      const [settled, isRoleChange] = [own, pending?.isRoleChange]
      pending = null
      if (settled === null || isRoleChange === undefined) return null
      const now = mode.get()
      if (now === settled) return settled
      if (isClosedByFault(now) || !isRoleChange) return null
      mode.set(settled)
      return settled
    },
  }
}
