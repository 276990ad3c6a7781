import { uptime } from 'node:os'
import { type ProbeTarget, probePeer } from '#src/adapters/outbound/probe-peer.js'
import type { HostClocks } from '#src/domain/fleet/fleet-state.js'
import type { ProbeResult } from '#src/domain/fleet/peers.js'
import { type KernelClock, realClock } from '#src/kernel/time/clock.js'

/**
 * Returns how long the machine has slept since this function was made. The monotonic clock does not count that
 * time, so ages that must count it add it. Reads the uptime at most once a second, and after a step of the wall clock,
 * which a sleep is too.
 */
export const sleepMeter = (
  read: () => SleepClocks = readClocks,
  cheap: CheapClocks = realClock,
): (() => number) => {
  const first = read()
  let [sleptMs, last] = [0, first]
  return () => {
    if (isFresh(last, cheap.monotonicMs(), cheap.nowMs())) return sleptMs
    last = read()
    const apartMs = last.uptimeMs - first.uptimeMs - (last.monotonicMs - first.monotonicMs)
    sleptMs = Math.max(sleptMs, apartMs > sleepMsLeast ? apartMs : 0)
    return sleptMs
  }
}

/** The clocks of a host, and its way to the other towns. */
export interface HostPorts {
  readonly clock: KernelClock
  readonly readClocks: (pauses: number) => HostClocks
  /** Probes a town once. Never rejects; the signal ends it. */
  readonly probe: (target: ProbeTarget, signal: AbortSignal) => Promise<ProbeResult>
}

/** Reads the clocks of this host. */
const readClocks = (pauses = 0): HostClocks => ({
  monotonicMs: realClock.monotonicMs(),
  wallMs: realClock.nowMs(),
  uptimeMs: uptime() * 1_000,
  pauses,
})

/** The clocks of this machine, and its network. */
export const realHost: HostPorts = {
  clock: realClock,
  readClocks,
  probe: (target, signal) => probePeer(target, realClock.monotonicMs, signal),
}

/** Below this the uptime and the monotonic clock differ by their steps. */
const sleepMsLeast = 2_000
/** How long a reading of the uptime is used. */
const freshMs = 1_000

type SleepClocks = Pick<HostClocks, 'monotonicMs' | 'wallMs' | 'uptimeMs'>

/** The clocks that are read at each call. */
type CheapClocks = Pick<KernelClock, 'monotonicMs' | 'nowMs'>

const isFresh = (read: SleepClocks, monotonicMs: number, wallMs: number): boolean =>
  monotonicMs - read.monotonicMs < freshMs && Math.abs(wallMs - read.wallMs) < freshMs
