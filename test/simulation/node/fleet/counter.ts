import { isSameFence } from '#src/domain/fleet/role.js'
import type { FleetMember, FleetRunning } from './fleet-host.js'
import type { SimFleet } from './fleet-world.js'
import { linkThrough } from './model/links.js'
import { counterPath } from './model/topology-files.js'

const minuteMs = 60_000

/** The longest work between the plan of a count and its push. */
const workMsMax = 40_000

/**
 * The duty of the apex in these worlds: a tick that raises a counter in the published branch. It asks whether this
 * host has the duty before it plans, and, with the fence of the plan, before it pushes.
 */
export const startCounter = (world: SimFleet, host: FleetMember, running: FleetRunning): void => {
  const { objects, origin, weather, checks, trace, history } = world
  const { clock } = host
  const { life, card, watch } = running
  const link = linkThrough(world.links, host.name)
  const waitMs = (ms: number): Promise<void> =>
    new Promise(resolve => {
      clock.after(ms, resolve)
    })
  const count = async (): Promise<void> => {
    if (card.whyNoDuty() !== null) return
    const planned = watch.state().fence
    if (planned === null) return
    checks.fleet.duty.plans(host)
    await waitMs(weather.between(0, workMsMax))
    const now = watch.state().fence
    if (card.whyNoDuty() !== null || now === null || !isSameFence(now, planned)) {
      trace.mark('a duty was dropped before its push')
      return
    }
    const base = checks.fleet.roles.readAt(host)
    if (base === null) return
    const { files } = objects.get(base)
    const next = Number(files.get(counterPath) ?? '0') + 1
    const message = `counter: ${next}\n\nSvc-Duty: ${host.name} ${planned.commit}\n`
    const after = new Map(files).set(counterPath, `${next}\n`)
    const { id: commit } = objects.make({ parents: [base], files: after, message })
    checks.fleet.duty.pushes(host, base, planned)
    await host.world.weather.step(life, 'count sent')
    if (!link.sends() || !objects.isAncestor(origin.head, commit)) return
    const from = origin.head
    origin.head = commit
    history.date(commit, world.clock.nowMs())
    checks.fleet.duty.landed(host, base, planned)
    checks.branches.moved('origin', from, commit, [])
  }
  const arm = (ms: number): void =>
    void clock.after(ms, () => {
      if (life.isOver) return
      arm(world.setup.counterMs)
      void count()
    })
  arm(weather.between(1, 2 * minuteMs))
}
