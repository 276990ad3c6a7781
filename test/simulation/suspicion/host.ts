import {
  type PeerObservation,
  type PeerWatcherPorts,
  peerWatcher,
} from '#actors/peer-watcher/peer-watcher.js'
import { repeatProbe } from '#src/adapters/outbound/repeat-probe.js'
import type { TownView } from '#src/domain/fleet/candidates.js'
import { probeTimeoutMs } from '#src/domain/fleet/probe-timeout.js'
import type { Entropy } from '#src/kernel/entropy.js'
import { afterPause } from '#src/node/fleet/after-pause.js'
import { makePeerTable, type PeerTable } from '#src/node/fleet/peer-table.js'
import { recordProbes } from '#src/node/fleet/record-probes.js'
import { noMeter } from '#test/support/no-meter.js'
import { driveActor } from './drive-actor.js'
import type { HostTime, TimeSpan } from './host-time.js'
import type { openNetwork } from './network.js'
import { countIn, type SuspicionTally } from './tally.js'

export interface SuspicionHost {
  readonly town: string
  readonly table: PeerTable
  /** The probes of a town that were counted as missed since its last answer, in virtual time. */
  readonly misses: ReadonlyMap<string, ReadonlyArray<TimeSpan>>
}

export interface HostParts {
  readonly town: string
  readonly peers: ReadonlyArray<string>
  readonly intervalMs: number
  readonly time: HostTime
  readonly trueMs: () => number
  readonly entropy: Entropy
  readonly network: ReturnType<typeof openNetwork>
  readonly tally: SuspicionTally
  readonly onObserved: (host: SuspicionHost, observation: PeerObservation) => void
}

const silentLog = { info: () => undefined, warn: () => undefined }
const convergeMsMost = 30_000

/** Probes as the node does, and counts what the rules of a probe add. */
const probeOf = (
  { town, intervalMs, time: { clock }, network, tally }: HostParts,
  table: PeerTable,
  peer: string,
): PeerWatcherPorts['probe'] => {
  const send = network.sendFrom(town, peer)
  return async (_, roundTripsMs, signal) => {
    const startMs = clock.monotonicMs()
    const timeoutMs = probeTimeoutMs(roundTripsMs, table.healthScore(), intervalMs)
    const probed = await repeatProbe(clock, timeoutMs, send, signal)
    const tookMs = clock.monotonicMs() - startMs
    const isAnswered = probed.result._tag === 'Answered'
    if (isAnswered && tookMs > probed.roundTripMs) countIn(tally, 'answers to a repeated request')
    if (isAnswered && tookMs > probeTimeoutMs(roundTripsMs, 0, intervalMs))
      countIn(tally, 'answers in the time that local health adds')
    return { ...probed, timeoutMs }
  }
}

/** Starts the watchers of one host, with the parts that a node gives them. */
export const startHost = (parts: HostParts): SuspicionHost => {
  const { town, peers, intervalMs, time, trueMs, entropy, onObserved } = parts
  const { clock } = time
  const table = makePeerTable(clock.monotonicMs)
  const misses = new Map<string, ReadonlyArray<TimeSpan>>()
  const host: SuspicionHost = { town, table, misses }
  const record = recordProbes({
    table,
    meter: noMeter,
    log: silentLog,
    publish: () => undefined,
    missed: () => undefined,
  })
  const paused = afterPause({
    clock,
    table,
    meter: noMeter,
    log: silentLog,
    converge: () => new Promise(resolve => clock.after(entropy.chance() * convergeMsMost, () => resolve())),
  })
  const watch = (peer: string): void => {
    let beganMs = 0
    const probe = probeOf(parts, table, peer)
    driveActor(
      peerWatcher({ town: peer, intervalMs }),
      tell => ({
        clocks: () => time.read(table.pauses()),
        began: table.restart,
        probe: (...asked) => {
          beganMs = trueMs()
          return probe(...asked)
        },
        paused,
        observed: observation => {
          record(observation)
          const { _tag } = observation.result
          if (_tag === 'Answered') misses.set(peer, [])
          if (_tag === 'Failed')
            misses.set(peer, [...(misses.get(peer) ?? []), { fromMs: beganMs, toMs: trueMs() }])
          onObserved(host, observation)
        },
        tell,
      }),
      clock,
      entropy,
    )
  }
  for (const peer of peers) watch(peer)
  return host
}

/** The towns as the host sees them, and itself. */
export const viewsOf = (
  { town, table }: SuspicionHost,
  syncAgeMinutes: number,
): ReadonlyMap<string, TownView> =>
  new Map([...table.views(), [town, { isReachable: true, consecutiveMisses: 0, syncAgeMinutes }]])
