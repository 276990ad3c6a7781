import { isLeft } from 'fp-ts/lib/Either.js'
import { apexOf } from '../faults.js'
import type { FleetMember } from '../fleet-host.js'
import type { SimFleet } from '../fleet-world.js'
import { versionOf } from './check-takeovers.js'

/**
 * Looks at the fleet every few seconds, and holds L2 against it: where the apex is down and everything else is well
 * for long enough, a host asks for a takeover. Also S5: a town has one active job on a host; and S7: no request that is
 * not merged begins a cooldown.
 */
export interface LatencyCheck {
  readonly look: (world: SimFleet) => void
}

const slackMs = 90_000

/** The others see each other once, then the apex dark in each sweep; two may each take the other for the first. */
const boundMsOf = ({ setup }: SimFleet): number =>
  (setup.afterSweeps + 3) * setup.watchIntervalMs * (1 + 1.2 * setup.drift) + slackMs

const isWell = (
  { history, origin, faults, setup }: SimFleet,
  { running, clock, name }: FleetMember,
): boolean => {
  if (running === null || clock.isStopped() || faults.isDiskFull(name) || faults.hasNoNames(name))
    return false
  const { fence, topology } = running.watch.state()
  if (topology === null || fence?.commit !== history.lastChange(origin.head)) return false
  const ageMs = running.age.ageMs()
  return ageMs !== null && ageMs < Math.min(setup.maxAgeMs, 2 * setup.syncIntervalMs)
}

/** Whether this version of the file had a request or a job already, whatever became of it. */
export const wasTried = ({ forge, history, origin, hosts }: SimFleet): boolean => {
  const version = history.lastChange(origin.head)
  if (forge.requests().some(request => versionOf(request) === version)) return true
  const jobs = hosts.map(({ disk }) => disk.look())
  return jobs.some(
    store => store.active().length > 0 || (version !== null && store.failuresOf(version).length > 0),
  )
}

const isDarkAndElseWell = (world: SimFleet): boolean => {
  const { setup, links, faults, hosts, checks } = world
  const apex = apexOf(world)
  if (!setup.isAutomatic || apex === undefined || apex.running !== null) return false
  if (!links.isClear() || faults.state.trouble !== null || faults.losesAnswers()) return false
  if (checks.fleet.takeovers.isCooling()) return false
  return hosts.every(host => host === apex || isWell(world, host)) && !wasTried(world)
}

const checkTowns = ({ trace }: SimFleet, { name, disk }: FleetMember): void => {
  const towns = disk
    .look()
    .active()
    .map(({ job }) => job.town)
  if (new Set(towns).size < towns.length) trace.violation(`${name} has two active jobs for one town (S5)`)
}

const person = { name: 'Odo', gracz: null, kind: 'machine' } as const
const wish = { reason: 'The apex is dark.', target: null, isForced: true }

/** Where a request began the cooldown, it is merged. A dry run asks, so nothing changes. */
const checkCooldown = ({ trace, forge }: SimFleet, { name, running }: FleetMember): void => {
  const asked = running?.desk.request(wish, person, true)
  if (asked === undefined || !isLeft(asked) || asked.left._tag !== 'takeover_cooldown') return
  const { mrIid } = asked.left.cooldown
  const request = forge.requests().find(({ iid }) => iid === mrIid)
  if (request !== undefined && request.state !== 'merged')
    trace.violation(`${name} rests after !${mrIid}, which is ${request.state} (S7)`)
}

export const latencyCheck = (): LatencyCheck => {
  let sinceMs: number | null = null
  return {
    look: world => {
      const nowMs = world.clock.monotonicMs()
      for (const host of world.hosts) {
        checkTowns(world, host)
        checkCooldown(world, host)
      }
      const wasDark = sinceMs !== null
      if (!isDarkAndElseWell(world)) {
        if (wasDark && apexOf(world)?.running === null && wasTried(world))
          world.trace.mark('a dark apex was taken over from, and all else was well')
        sinceMs = null
        return
      }
      sinceMs ??= nowMs
      if (nowMs - sinceMs > boundMsOf(world))
        world.trace.violation(
          `the apex is dark for ${Math.round((nowMs - sinceMs) / 1_000)} s, and no host asks (L2)`,
        )
    },
  }
}
