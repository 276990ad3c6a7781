import { type ProbeTarget, probePeer } from '#src/adapters/outbound/probe-peer.js'
import type { HostClocks } from '#src/domain/fleet/fleet-state.js'
import type { ProbeResult } from '#src/domain/fleet/peers.js'
import { type KernelClock, realClock } from '#src/kernel/time/clock.js'
import { readClocks } from './host-clocks.js'

/** The clocks of a host, and its way to the other towns. */
export interface HostPorts {
  readonly clock: KernelClock
  readonly readClocks: (pauses: number) => HostClocks
  /** Probes a town once. Never rejects; the signal ends it. */
  readonly probe: (target: ProbeTarget, signal: AbortSignal) => Promise<ProbeResult>
}

/** The clocks of this machine, and its network. */
export const realHost: HostPorts = {
  clock: realClock,
  readClocks,
  probe: (target, signal) => probePeer(target, realClock.monotonicMs, signal),
}
