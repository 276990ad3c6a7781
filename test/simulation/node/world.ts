import type { RepoPath } from '#protocol/atoms/path.js'
import { type Entropy, seededEntropy } from '#src/kernel/entropy.js'
import { type VirtualClock, virtualClock } from '#src/kernel/virtual-clock.js'
import { type Checks, openChecks } from './checks.js'
import { type Host, start } from './host.js'
import { type Objects, openObjects } from './objects.js'
import { firstFiles, lorePaths } from './plans.js'
import { segmentDisk } from './segment-disk.js'
import { fileOf } from './sim-repository.js'
import { openTrace, type Trace } from './trace.js'
import { type Climate, type Life, openWeather, type Weather } from './weather.js'

/** Hosts of one fleet on virtual time, with the truth about them. */
export interface World {
  readonly seed: number
  readonly clock: VirtualClock
  readonly entropy: Entropy
  readonly trace: Trace
  readonly objects: Objects
  readonly checks: Checks
  readonly weather: Weather
  readonly hosts: ReadonlyArray<Host>
  /** Files that a person has in hand at this moment. */
  readonly dirty: () => ReadonlySet<RepoPath>
  /** The process of a host ends here; another one starts on what is on disk. */
  readonly crashed: (life: Life) => void
  /** Everything that does not wait for time comes to rest. */
  readonly settle: () => Promise<void>
}

const restartMsMax = 3_000
const hostNames = ['Enroth', 'Deyja', 'Nighon']

const oneTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

export const openWorld = (seed: number, climate: Climate): World => {
  const clock = virtualClock(Date.UTC(2026, 0, 1))
  const { chance, id } = seededEntropy(seed)
  const trace = openTrace(clock.monotonicMs)
  const objects = openObjects()
  const checks = openChecks(objects, trace)
  const first = objects.make({ parents: [], files: firstFiles, message: 'first' })
  const hosts: Array<Host> = []
  const crashed = (life: Life): void => {
    if (life.isOver) return
    life.isOver = true
    const host = hosts.find(({ name }) => name === life.host)
    if (host === undefined) return
    host.running?.tree.close()
    host.running = null
    host.journal.crash()
    clock.after(weather.between(10, restartMsMax), () => start(world, host))
  }
  const weather = openWeather({ clock, chance, trace, climate, onCrash: crashed })
  const dirtyFile = fileOf(lorePaths[1], '').path
  const world: World = {
    seed,
    clock,
    entropy: { chance, id },
    trace,
    objects,
    checks,
    weather,
    hosts,
    dirty: () => new Set(weather.happens(0.05) ? [dirtyFile] : []),
    crashed,
    settle: async () => {
      await oneTurn()
      for (const { running } of hosts) await running?.kernel.settle()
    },
  }
  for (const name of hostNames)
    hosts.push({
      name,
      repository: { head: first.id, parked: new Map() },
      journal: segmentDisk(weather, clock.nowMs),
      lives: 0,
      running: null,
    })
  return world
}
