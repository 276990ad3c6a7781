import type { SendAttempt } from '#src/adapters/outbound/probe-peer.js'
import type { PeerCard, ProbeResult } from '#src/domain/fleet/peers.js'
import type { KernelClock } from '#src/kernel/time/clock.js'
import { type Busy, isCut, type PathClimate } from './climate.js'
import { type HostTime, isDuring } from './host-time.js'

export interface NetworkParts {
  readonly climate: PathClimate
  readonly world: KernelClock
  readonly chance: () => number
  readonly timeOf: (town: string) => HostTime
  readonly cardOf: (town: string) => PeerCard
}

const spikeMsMost = 5_000
const timedOut: ProbeResult = { _tag: 'Failed', kind: 'fleet-status', why: 'timeout' }

/** The paths between the hosts: each message takes its time, or is lost. */
export const openNetwork = ({ climate, world, chance, timeOf, cardOf }: NetworkParts) => {
  const { towns, loss, spikes, jitter, troubles, busy } = climate
  const [apex = ''] = towns
  // From 1 ms to 400 ms, so that fast paths are as frequent as slow ones.
  const pathMs = new Map(towns.map(town => [town, 400 ** chance()]))
  const baseMsOf = (from: string, to: string): number =>
    Math.max(pathMs.get(from) ?? 1, pathMs.get(to) ?? 1) / 2
  const delayMs = (from: string, to: string): number => {
    const baseMs = baseMsOf(from, to)
    const spikeMs = chance() < spikes ? chance() * spikeMsMost : 0
    return baseMs * (1 + jitter * chance()) + spikeMs
  }
  /** When the other host handles a message; null where it is lost. */
  const deliverMs = (from: string, to: string, sentMs: number): number | null => {
    const arrivesMs = sentMs + delayMs(from, to)
    const time = timeOf(to)
    if (chance() < loss || isCut(climate, from, to, sentMs) || time.isAsleep(arrivesMs)) return null
    return time.wakeMs(arrivesMs)
  }
  /** The connection to a busy host is open for so long that each lost packet of it is sent again. */
  const busyAnsweredMs = (from: string, { lagMs }: Busy): number =>
    world.monotonicMs() + 2 * baseMsOf(from, apex) * (1 + jitter * chance()) + lagMs
  const answeredMs = (from: string, to: string): number | null => {
    const busyNow = to === apex ? busy.find(one => isDuring(one, world.monotonicMs())) : undefined
    if (busyNow !== undefined) return busyAnsweredMs(from, busyNow)
    const handledMs = deliverMs(from, to, world.monotonicMs())
    return handledMs === null ? null : deliverMs(to, from, handledMs)
  }
  /** One request of a probe, as `probePeer` sends it; `heard` is called with when an answered one was sent. */
  const sendFrom =
    (from: string, to: string, heard: (sentMs: number) => void): SendAttempt =>
    (timeoutMs, signal) => {
      const nowMs = world.monotonicMs()
      const cannotSend = (troubles.get(from) ?? []).some(trouble => isDuring(trouble, nowMs))
      if (cannotSend) return Promise.resolve({ _tag: 'NotSent' })
      const [backMs, dueMs] = [answeredMs(from, to), timeOf(from).dueMs(timeoutMs)]
      // A time-out comes before an answer that waited with it for the host to run again.
      const isAnswered = backMs !== null && backMs < dueMs
      return new Promise(resolve => {
        const cancel = world.after((isAnswered ? backMs : dueMs) - nowMs, () => {
          if (isAnswered) heard(nowMs)
          resolve(isAnswered ? { _tag: 'Answered', kind: 'fleet-status', card: cardOf(to) } : timedOut)
        })
        signal.addEventListener('abort', cancel, { once: true })
      })
    }
  return { sendFrom }
}
