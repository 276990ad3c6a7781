import {
  type ProbeTarget,
  type ProbeTimes,
  type RepeatedProbe,
  repeatProbe,
  type SendAttempt,
} from '#src/adapters/outbound/probe-peer.js'
import type { HostPorts } from './host-ports.js'

/** Probes a town, and again while it is silent; a town without an address counts as not sent. Never rejects. */
export const probeTown = (
  { clock, probe }: Pick<HostPorts, 'clock' | 'probe'>,
  { town, url }: Pick<ProbeTarget, 'town'> & { readonly url: string | null },
  times: ProbeTimes,
  signal: AbortSignal,
): Promise<RepeatedProbe> => {
  if (url === null) return Promise.resolve({ result: { _tag: 'NotSent' }, roundTripMs: 0 })
  const send: SendAttempt = (timeoutMs, others, onAnswering) =>
    probe({ town, url, timeoutMs, onAnswering }, others)
  return repeatProbe(clock, times, send, signal)
}
