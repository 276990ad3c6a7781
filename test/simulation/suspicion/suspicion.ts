import type { PeerObservation } from '#actors/fleet/peer-watcher.js'
import { instantOf } from '#protocol/atoms.js'
import type { PeerCard } from '#src/domain/fleet/peers.js'
import { topologyOf } from '#test/support/fleet/topologies.js'
import { entropyFromSeed } from '#test/support/kernel/entropy-from-seed.js'
import { virtualClock } from '#test/support/kernel/virtual-clock.js'
import { checkMisses, checkSleep } from './check-misses.js'
import { climateOf } from './climate.js'
import { type SuspicionHost, startHost } from './host.js'
import { hostTime } from './host-time.js'
import { judgeAsk } from './judge-ask.js'
import { openNetwork } from './network.js'
import { countIn, openTally, type SuspicionTally } from './tally.js'

/** What one seed came to. */
export interface SuspicionOutcome {
  readonly seed: number
  readonly violations: ReadonlyArray<string>
  readonly tally: SuspicionTally
}

type Chance = () => number

const minuteMs = 60_000
const wallOffsetMsMost = 7 * 86_400_000

/** The sync age of each town: it converges at intervals of its own. */
const syncAges = (towns: ReadonlyArray<string>, chance: Chance, nowMs: () => number) => {
  const cycles = new Map(
    towns.map(town => [town, { periodMs: (1 + chance() * 9) * minuteMs, phaseMs: chance() * minuteMs }]),
  )
  return (town: string): number => {
    const { periodMs, phaseMs } = cycles.get(town) ?? { periodMs: minuteMs, phaseMs: 0 }
    return Math.round((((nowMs() + phaseMs) % periodMs) / minuteMs) * 10) / 10
  }
}

const cardWith = (town: string, nowMs: number, syncAgeMinutes: number): PeerCard => ({
  town,
  role: 'replica',
  nowUtc: instantOf(nowMs),
  bootUtc: instantOf(0),
  bootId: town,
  uptimeSeconds: 1,
  imageDigest: '',
  schemaVersion: 2,
  syncAgeMinutes,
  version: '0.5.0',
})

const countProbe = (tally: SuspicionTally, { result, isLate }: PeerObservation): void => {
  if (isLate) return countIn(tally, 'misses that a late answer takes back')
  countIn(tally, 'probes')
  if (result._tag === 'Failed') countIn(tally, 'failed probes')
  if (result._tag === 'NotSent') countIn(tally, 'probes that were not sent')
}

/** Runs a fleet whose apex lives throughout; a takeover that a host would ask for is a violation. */
export const runSuspicion = async (seed: number): Promise<SuspicionOutcome> => {
  const entropy = entropyFromSeed(seed)
  const { chance } = entropy
  const climate = climateOf(chance)
  const { towns, intervalMs } = climate
  const world = virtualClock(Date.UTC(2026, 0, 1))
  const trueMs = world.monotonicMs
  const tally = openTally()
  const [apex = ''] = towns
  const topology = topologyOf(
    apex,
    towns.map(name => ({ name })),
  )
  const syncAgeMinutes = syncAges(towns, chance, trueMs)
  const openTime = (town: string) =>
    hostTime(world, climate.pauses.get(town) ?? [], (chance() * 2 - 1) * wallOffsetMsMost)
  const times = new Map(towns.map(town => [town, openTime(town)]))
  const timeOf = (town: string) => times.get(town) ?? openTime(town)
  const cardOf = (town: string) => cardWith(town, timeOf(town).clock.nowMs(), syncAgeMinutes(town))
  const network = openNetwork({ climate, world, chance, timeOf, cardOf })
  const hosts: Array<SuspicionHost> = []
  const violations: Array<string> = []
  const onObserved = (host: SuspicionHost, observation: PeerObservation): void => {
    const { town } = observation
    countProbe(tally, observation)
    const found = [
      checkMisses(host, town),
      checkSleep(climate, host, town, trueMs()),
      town === apex ? judgeAsk({ climate, topology, hosts, syncAgeMinutes, tally }, host) : null,
    ]
    for (const violation of found)
      if (violation !== null) violations.push(`at ${Math.round(trueMs())} ms: ${violation}`)
  }
  for (const town of towns) {
    const peers = towns.filter(one => one !== town)
    const shared = { town, peers, intervalMs, trueMs, entropy, network, tally, onObserved }
    if (town !== apex)
      hosts.push(startHost({ ...shared, time: timeOf(town), pauses: climate.pauses.get(town) ?? [] }))
  }
  await world.advance(climate.durationMs)
  return { seed, violations, tally }
}
