import type { Mode } from '#protocol/host/discovery.js'
import type { FleetRole } from '#src/domain/fleet/role.js'
import type { FleetMember } from './fleet-host.js'
import type { SimFleet } from './fleet-world.js'

/** A host as an observer of the whole world sees it at one moment. */
export interface HostLook {
  /** `stopped`: frozen or asleep. */
  readonly state: 'up' | 'down' | 'stopped'
  readonly role: FleetRole | null
  readonly mode: Mode | null
  /** Towns that this host counts as dark. */
  readonly dark: ReadonlyArray<string>
  /** The town of its active takeover job. */
  readonly job: string | null
}

/** Says in the trace how each host is, whenever that changed since the last time. */
export interface HostLooks {
  readonly say: (world: SimFleet) => void
}

/** How a host is now. */
export const lookAt = ({ setup }: SimFleet, { running, clock, disk }: FleetMember): HostLook => {
  if (running === null) return { state: 'down', role: null, mode: null, dark: [], job: null }
  const isDark = ([, view]: readonly [string, { readonly consecutiveMisses: number }]): boolean =>
    view.consecutiveMisses >= setup.afterSweeps
  return {
    state: clock.isStopped() ? 'stopped' : 'up',
    role: running.watch.state().role,
    mode: running.mode.get().mode,
    dark: [...running.peers.table.views()].filter(isDark).map(([town]) => town),
    job: disk.look().active()[0]?.job.town ?? null,
  }
}

export const openHostLooks = (): HostLooks => {
  const said = new Map<string, string>()
  return {
    say: world => {
      for (const host of world.hosts) {
        const look = JSON.stringify(lookAt(world, host))
        if (said.get(host.name) === look) continue
        said.set(host.name, look)
        world.trace.say(`${host.name} is ${look}`)
      }
    },
  }
}
