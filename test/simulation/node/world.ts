import type { PublishMode } from '#protocol/host/discovery.js'
import type { Entropy } from '#src/kernel/entropy.js'
import type { KernelClock } from '#src/kernel/time/clock.js'
import { entropyFromSeed } from '#test/support/kernel/entropy-from-seed.js'
import { type VirtualClock, virtualClock } from '#test/support/kernel/virtual-clock.js'
import { type Checks, openChecks } from './checks.js'
import { type SimHost, start } from './host.js'
import { openJobTable } from './host-jobs.js'
import { type Objects, openObjects } from './objects.js'
import { firstFiles, lorePaths } from './plans.js'
import { segmentDisk } from './segment-disk.js'
import { forgetFiles, repositoryAt, type SimRepository } from './sim-repository.js'
import { type HearLine, openTrace, type Trace } from './trace.js'
import { type Climate, type Life, openWeather, type Weather } from './weather.js'

/** The world as the parts of one host meet it: on the clock of that host. */
export interface HostWorld {
  readonly clock: KernelClock
  readonly entropy: Entropy
  readonly trace: Trace
  readonly objects: Objects
  readonly checks: Checks
  readonly weather: Weather
  readonly origin: SimRepository
  /** Files that a person has in hand at this moment. */
  readonly dirty: () => ReadonlySet<string>
  /** How long this host was stopped or asleep until now. */
  readonly stoppedMs: () => number
}

/** Hosts on one virtual clock, with the truth about them. */
export interface World extends HostWorld {
  readonly seed: number
  readonly clock: VirtualClock
  readonly hosts: ReadonlyArray<SimHost>
  /** The process of a host ends here; another one starts on what is on disk. */
  readonly crashed: (life: Life) => void
  /** Everything that does not wait for time comes to rest. */
  readonly settle: () => Promise<void>
  readonly close: () => void
}

const restartMsMax = 3_000
const hostNames = ['Enroth', 'Deyja', 'Nighon']

const oneTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

export const openWorld = (seed: number, climate: Climate, hear?: HearLine): World => {
  const clock = virtualClock(Date.UTC(2026, 0, 1))
  const { chance, id } = entropyFromSeed(seed)
  forgetFiles()
  const trace = openTrace(clock.monotonicMs, hear)
  const objects = openObjects()
  const checks = openChecks(objects, trace)
  const first = objects.make({ parents: [], files: firstFiles, message: 'first' })
  const hosts: Array<SimHost> = []
  const crashed = (life: Life): void => {
    if (life.isOver) return
    life.isOver = true
    const host = hosts.find(({ name }) => name === life.host)
    if (host === undefined) return
    host.running?.tree.close()
    host.running = null
    host.isSetting = false
    host.journal.crash()
    clock.after(weather.between(10, restartMsMax), () => start(world, host))
  }
  const weather = openWeather({ clock, chance, trace, climate, onCrash: crashed })
  const tables: Array<() => void> = []
  const world: World = {
    seed,
    clock,
    entropy: { chance, id },
    trace,
    objects,
    checks,
    weather,
    hosts,
    origin: repositoryAt(first.id),
    stoppedMs: () => 0,
    dirty: () => new Set(weather.mishap(0.05) ? [lorePaths[1]] : []),
    crashed,
    settle: async () => {
      await oneTurn()
      for (const { running } of hosts) await running?.kernel.settle()
    },
    close: () => {
      for (const { running } of hosts) running?.tree.close()
      for (const close of tables) close()
    },
  }
  // One host of some fleets only reads from the remote.
  const lastMode: PublishMode = seed % 3 === 0 ? 'none' : 'push'
  for (const [at, name] of hostNames.entries()) {
    const table = openJobTable()
    tables.push(table.close)
    hosts.push({
      name,
      mode: at === 2 ? lastMode : 'push',
      repository: repositoryAt(first.id),
      journal: segmentDisk(weather, clock.nowMs, trace.mark),
      jobs: table.store,
      reader: { name: 'resuming', at: 0 },
      isSetting: false,
      lastAction: null,
      lives: 0,
      running: null,
    })
  }
  return world
}
