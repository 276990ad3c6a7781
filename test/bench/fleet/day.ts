import { instantOf } from '#protocol/atoms.js'
import type { PeerCard } from '#src/domain/fleet/peers.js'
import type { Town } from '#src/domain/fleet/topology.js'
import { type Kernel, openKernel } from '#src/kernel/kernel.js'
import type { Cancel, KernelClock } from '#src/kernel/time/clock.js'
import { nextLoopTurn } from '#src/kernel/time/loop-turn.js'
import { nodePeers } from '#src/node/fleet/peers.js'
import { entropyFromSeed } from '#test/support/kernel/entropy-from-seed.js'
import { type VirtualClock, virtualClock } from '#test/support/kernel/virtual-clock.js'
import { blockRatios, type Figure, figureAtMost, figureWithoutBar } from '../figure.js'
import { silentFleet } from './silent-fleet.js'

const dayMs = 86_400_000
const towns = ['Avlee', 'Bracada', 'Deyja', 'Erathia', 'Nighon']
/** Slower than on a machine: on virtual time an actor is stuck for ever or not at all. */
const heartbeatMs = 600_000
const roundTripMs = 40
const intervalMin = 5
const probesLeast = towns.length * (towns.length - 1) * (dayMs / (intervalMin * 60_000) - 1)
/** The events of the bare day: 24 hours of five hosts took 0.13 s at 0.5 million events a second. */
const bareEvents = 65_000
const rounds = 5

const processorMs = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** A day of timers alone: a clock, one turn of the loop after each, and nothing else. */
const bareDay = async (): Promise<number> => {
  const clock = virtualClock(0)
  const stepMs = (dayMs * towns.length) / bareEvents
  for (const _ of towns) {
    const tick = (): void => void clock.after(stepMs, tick)
    tick()
  }
  const before = process.cpuUsage()
  await clock.advance(dayMs)
  return processorMs(before)
}

/** A clock whose timers say whose they are, so that only the kernel whose timer fired settles. */
const clockOfHost = (clock: VirtualClock, onFired: () => void): KernelClock => ({
  ...clock,
  after: (delayMs, run): Cancel =>
    clock.after(delayMs, () => {
      onFired()
      run()
    }),
})

const cardOf = (town: string, nowMs: number): PeerCard => ({
  town,
  role: 'replica',
  nowUtc: instantOf(nowMs),
  bootUtc: instantOf(0),
  bootId: town,
  uptimeSeconds: 1,
  imageDigest: '',
  schemaVersion: 2,
  syncAgeMinutes: 2,
  version: '0.5.0',
})

const townOf = (name: string): [string, Town] => [
  name,
  { name, url: `https://${name}.example`, isEligible: true, isSteppingDown: false },
]

const startHost = (town: string, seed: number, clock: KernelClock, onProbe: () => void): Kernel => {
  const kernel = openKernel({ clock, entropy: entropyFromSeed(seed), heartbeatMs, stuckMs: 3 * heartbeatMs })
  const peers = nodePeers({
    ...silentFleet(kernel),
    config: { 'fleet.watch_interval_min': intervalMin },
    host: {
      clock,
      readClocks: pauses => {
        const monotonicMs = clock.monotonicMs()
        return { monotonicMs, wallMs: clock.nowMs(), uptimeMs: monotonicMs, pauses }
      },
      probe: target =>
        new Promise(resolve => {
          onProbe()
          clock.after(roundTripMs, () =>
            resolve({ _tag: 'Answered', kind: 'fleet-status', card: cardOf(target.town, clock.nowMs()) }),
          )
        }),
    },
  })
  kernel.run(
    {
      id: 'host',
      strategy: 'one_for_one',
      restartsMax: 1,
      windowMs: 1_000,
      children: [{ id: 'peers', restart: 'permanent', drainMs: 1_000 }],
    },
    { peers: peers.child },
    () => undefined,
  )
  peers.watchTowns(new Map(towns.filter(one => one !== town).map(townOf)))
  return kernel
}

/** A day of five hosts with their real watchers. */
const fleetDay = async (): Promise<number> => {
  const clock = virtualClock(Date.UTC(2026, 0, 1))
  let fired: Kernel | null = null
  let probes = 0
  const onProbe = (): void => {
    probes += 1
  }
  const kernels = towns.map((town, at) => {
    const onFired = (): void => {
      fired = kernel
    }
    const kernel: Kernel = startHost(town, at, clockOfHost(clock, onFired), onProbe)
    return kernel
  })
  for (const kernel of kernels) await kernel.settle()
  const before = process.cpuUsage()
  await clock.advance(dayMs, () => fired?.settle() ?? nextLoopTurn())
  const tookMs = processorMs(before)
  if (probes < probesLeast) throw new Error(`only ${probes} probes in a day`)
  return tookMs
}

/** 24 virtual hours of five hosts against a day of bare timers: pairs of rounds in turns. */
export const fleetDayFigures = async (): Promise<ReadonlyArray<Figure>> => {
  const [bareMs, fleetMs]: [Array<number>, Array<number>] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    bareMs.push(await bareDay())
    fleetMs.push(await fleetDay())
  }
  return [
    figureAtMost(
      '24 virtual hours of five hosts, against bare timers',
      'x',
      20,
      blockRatios(fleetMs, bareMs, 1),
    ),
    figureWithoutBar('24 virtual hours of five hosts', 'ms', fleetMs),
    figureWithoutBar('a day of bare timers', 'ms', bareMs),
  ]
}
