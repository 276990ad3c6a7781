import type { ProbeTarget } from '#src/adapters/outbound/probe-peer.js'
import { type RepeatedProbe, repeatProbe, type SendAttempt } from '#src/adapters/outbound/repeat-probe.js'
import type { HostPorts } from './host-ports.js'

/** Probes a town, and again while it is silent. Never rejects, and ends within the time-out of the target. */
export const probeTown = (
  { clock, probe }: Pick<HostPorts, 'clock' | 'probe'>,
  target: ProbeTarget,
  signal: AbortSignal,
): Promise<RepeatedProbe> => {
  const send: SendAttempt = (timeoutMs, others, onAnswering) =>
    probe({ ...target, timeoutMs, onAnswering }, others)
  return repeatProbe(clock, target.timeoutMs, send, signal)
}
