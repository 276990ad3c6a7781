import { type PeerObservation, type PeerWatcherPorts, peerWatcher } from '#actors/fleet/peer-watcher.js'
import { repeatProbe } from '#src/adapters/outbound/probe-peer.js'
import type { TownView } from '#src/domain/fleet/candidates.js'
import { countsAfterMs, lateMs } from '#src/domain/fleet/peers.js'
import type { Entropy } from '#src/kernel/entropy.js'
import { afterPause, makePeerTable, type PeerTable, recordProbes } from '#src/node/fleet/peers.js'
import { noMeter } from '#test/support/no-meter.js'
import { driveActor } from './drive-actor.js'
import type { HostTime, TimeSpan } from './host-time.js'
import type { openNetwork } from './network.js'
import { countIn, type SuspicionTally } from './tally.js'

export interface SuspicionHost {
  readonly town: string
  readonly table: PeerTable
  /**
   * The probes of a town that failed since its last answer, in virtual time: an answer to any request of the host, in
   * time or late, as the network brought it.
   */
  readonly misses: ReadonlyMap<string, ReadonlyArray<TimeSpan>>
}

export interface HostParts {
  readonly town: string
  readonly peers: ReadonlyArray<string>
  readonly intervalMs: number
  readonly time: HostTime
  /** When the host does not run. */
  readonly pauses: ReadonlyArray<TimeSpan>
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
  peer: string,
  heard: (sentMs: number) => void,
): PeerWatcherPorts['probe'] => {
  const send = network.sendFrom(town, peer, heard)
  return async (_, onLate, signal) => {
    const startMs = clock.monotonicMs()
    const probed = await repeatProbe(
      clock,
      { timeoutMs: countsAfterMs(intervalMs), lateMs, onLate },
      send,
      signal,
    )
    const tookMs = clock.monotonicMs() - startMs
    if (probed.result._tag === 'Answered' && tookMs > probed.roundTripMs)
      countIn(tally, 'answers to a repeated request')
    return probed
  }
}

/** Starts the watchers of one host, with the parts that a node gives them. */
export const startHost = (parts: HostParts): SuspicionHost => {
  const { town, peers, intervalMs, time, pauses, trueMs, entropy, onObserved } = parts
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
    cardRead: () => undefined,
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
    // An answer that a pause of this host parts from its request says nothing of the time since (S8).
    const heard = (sentMs: number): void => {
      const wasPaused = pauses.some(({ fromMs, toMs }) => fromMs < trueMs() && toMs > sentMs)
      if (!wasPaused) misses.set(peer, [])
    }
    const probe = probeOf(parts, peer, heard)
    driveActor(
      peerWatcher({ town: peer, intervalMs }),
      {
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
          if (_tag === 'Answered' && (observation.record?.consecutiveMisses ?? 0) === 0) misses.set(peer, [])
          if (_tag === 'Failed')
            misses.set(peer, [...(misses.get(peer) ?? []), { fromMs: beganMs, toMs: trueMs() }])
          onObserved(host, observation)
        },
      },
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
