import type { CommitId } from '#protocol/atoms.js'
import type { Entropy } from '#src/kernel/entropy.js'
import { entropyFromSeed } from '#test/support/kernel/entropy-from-seed.js'
import { type VirtualClock, virtualClock } from '#test/support/kernel/virtual-clock.js'
import { type Checks, openChecks } from '../checks.js'
import { type Objects, openObjects } from '../objects.js'
import { forgetFiles, repositoryAt, type SimRepository } from '../sim-repository.js'
import { type HearLine, openTrace, type Trace } from '../trace.js'
import { type Life, openWeather, type Weather } from '../weather.js'
import type { HostWorld } from '../world.js'
import { type FleetChecks, openFleetChecks } from './checks/fleet-checks.js'
import { type Faults, openFaults } from './faults.js'
import type { FleetMember } from './fleet-host.js'
import type { FleetSetup } from './fleet-setup.js'
import { openFleetDisk } from './model/fleet-disk.js'
import { type FleetHistory, openFleetHistory } from './model/fleet-history.js'
import { openHostClock } from './model/host-clock.js'
import { type Links, openLinks } from './model/links.js'
import { openSimForge, type SimForge } from './model/sim-forge.js'
import { firstFleetFiles } from './model/topology-files.js'
import { startFleetHost } from './start-host.js'

/** A fleet on virtual time: its hosts, the remote, the forge and the links between them, with the truth about them. */
export interface SimFleet {
  readonly seed: number
  readonly setup: FleetSetup
  /** The true time. */
  readonly clock: VirtualClock
  readonly entropy: Entropy
  readonly trace: Trace
  readonly objects: Objects
  readonly history: FleetHistory
  readonly checks: Checks & { readonly fleet: FleetChecks }
  readonly weather: Pick<Weather, 'between' | 'happens'>
  readonly faults: Faults
  readonly links: Links
  readonly origin: SimRepository
  /** The branches of takeovers at the remote. */
  readonly claims: Map<string, CommitId>
  readonly forge: SimForge
  readonly hosts: ReadonlyArray<FleetMember>
  /** The process of a host ends; another one starts on what is on disk. */
  readonly crashed: (life: Life) => void
  /** Holds a host down. Returns the function that lets it start. */
  readonly takeDown: (host: FleetMember) => () => void
  /** Something happened in a host: `settle` waits for it. */
  readonly touched: (host: FleetMember) => void
  /** Everything that does not wait for time comes to rest, in the hosts that were touched. */
  readonly settle: () => Promise<void>
  /** Nothing goes wrong any more by chance. */
  readonly calm: () => void
  readonly close: () => void
}

const restartMsMax = 60_000

interface HostParts {
  readonly world: Omit<SimFleet, 'hosts'>
  readonly chance: () => number
  readonly name: string
  readonly at: number
  readonly first: CommitId
  readonly onCalm: (calm: () => void) => void
}

const makeHost = ({ world, chance, name, at, first, onCalm }: HostParts): FleetMember => {
  const { clock: time, setup, trace, faults, checks, entropy, objects, origin, history } = world
  const rate = 1 + (chance() * 2 - 1) * setup.drift
  const clock = openHostClock({ time, rate, onRun: () => world.touched(host) })
  const climate = { crash: setup.crash, disk: 0, link: 0, fault: 0 }
  const base = openWeather({ clock, chance, trace, climate, onCrash: world.crashed })
  const weather = { ...base, refuses: faults.isDiskFull, isCut: () => false }
  onCalm(base.calm)
  const branches = {
    ...checks.branches,
    lands: (of: string, closedBy: string | null) => {
      checks.branches.lands(of, closedBy)
      if (closedBy === null) checks.fleet.roles.acts(host, 'lands a write')
    },
    moved: (who: string, from: CommitId, to: CommitId, parked: ReadonlyArray<CommitId>) => {
      // A flip of a person that came with the commits of a host.
      if (who === 'origin' && history.textAt(from) !== history.textAt(to)) checks.fleet.takeovers.edited()
      checks.branches.moved(who, from, to, parked)
    },
  }
  const hostWorld: HostWorld = {
    clock,
    entropy,
    trace,
    objects,
    checks: { ...checks, branches },
    weather,
    origin,
    dirty: () => new Set(),
    stoppedMs: () => time.monotonicMs() - clock.ranMs(),
  }
  const host: FleetMember = {
    name,
    at,
    mode: 'push',
    clock,
    world: hostWorld,
    repository: repositoryAt(first),
    disk: openFleetDisk(at),
    lastAction: null,
    isSetting: false,
    lives: 0,
    holds: 0,
    running: null,
  }
  return host
}

export const openSimFleet = (seed: number, setup: FleetSetup, hear?: HearLine): SimFleet => {
  const clock = virtualClock(Date.UTC(2026, 0, 1))
  const { chance, id } = entropyFromSeed(seed * 7 + 3)
  forgetFiles()
  const hearLine: HearLine = line => {
    hear?.(line)
    checks.fleet.secrets.wrote('the log of a host', line)
  }
  const trace = openTrace(() => Math.round(clock.monotonicMs()), hearLine)
  const objects = openObjects()
  const history = openFleetHistory(objects, clock.nowMs())
  const between = (low: number, high: number): number => low + Math.floor(chance() * (high - low + 1))
  const happens = (share: number): boolean => chance() < share
  const trueMs = (): number => Math.round(clock.nowMs())
  const first = objects.make({ parents: [], files: firstFleetFiles(setup.towns), message: 'first' })
  const origin = repositoryAt(first.id)
  const claims = new Map<string, CommitId>()
  const hosts: Array<FleetMember> = []
  const awake = new Set<FleetMember>()
  const calms: Array<() => void> = []
  const forge = openSimForge({
    objects,
    origin,
    claims,
    nowMs: trueMs,
    checksMs: () => setup.checksMs,
    opened: request => {
      checks.fleet.takeovers.opened(request)
      if (happens(setup.vetoes)) clock.after(between(0, 4_000), () => forge.veto(request.iid))
    },
    merged: (request, from, to) => {
      history.date(to, trueMs())
      history.date(claims.get(request.sourceBranch) ?? to, trueMs())
      checks.fleet.takeovers.merged(request, from, to)
      checks.branches.moved('origin', from, to, [])
    },
    closed: request => checks.fleet.takeovers.closed(request),
  })
  const fleet = openFleetChecks({
    trace,
    history,
    nowMs: clock.monotonicMs,
    actsWithinMs: setup.maxAgeMs * (1 + 1.5 * setup.drift) + 5_000,
    isAncestor: objects.isAncestor,
    cooldownMs: setup.cooldownHours * 3_600_000,
    requests: forge.requests,
  })
  const checks = { ...openChecks(objects, trace), fleet }
  const startAgain = (host: FleetMember): void => {
    if (host.running === null && host.holds === 0) startFleetHost(world, host)
  }
  const crashed = (life: Life): void => {
    if (life.isOver) return
    life.isOver = true
    const host = hosts.find(({ name }) => name === life.host)
    if (host === undefined) return
    host.running?.tree.close()
    host.running = null
    host.clock.forget()
    clock.after(between(1_000, restartMsMax), () => startAgain(host))
  }
  const parts: Omit<SimFleet, 'hosts'> = {
    seed,
    setup,
    clock,
    entropy: { chance, id },
    trace,
    objects,
    history,
    checks,
    weather: { between, happens },
    faults: openFaults(),
    links: openLinks(happens),
    origin,
    claims,
    forge,
    crashed,
    takeDown: host => {
      host.holds += 1
      if (host.running !== null) crashed(host.running.life)
      return () => {
        host.holds -= 1
        startAgain(host)
      }
    },
    touched: host => void awake.add(host),
    settle: async () => {
      for (const host of awake) {
        awake.delete(host)
        await host.running?.kernel.settle()
      }
    },
    calm: () => {
      for (const calm of calms) calm()
    },
    close: () => {
      for (const { running } of hosts) running?.tree.close()
    },
  }
  const world: SimFleet = { ...parts, hosts }
  for (const [at, name] of setup.towns.entries())
    hosts.push(
      makeHost({ world: parts, chance, name, at, first: first.id, onCalm: calm => calms.push(calm) }),
    )
  return world
}
