import type { ProbeTarget } from '#src/adapters/outbound/probe-peer.js'
import { type RepeatedProbe, repeatProbe, type SendAttempt } from '#src/adapters/outbound/repeat-probe.js'
import { probeTimeoutMs } from '#src/domain/fleet/probe-timeout.js'
import type { HostPorts } from './host-ports.js'
import type { PeerTable } from './peer-table.js'

export interface TownProberSetup {
  readonly host: Pick<HostPorts, 'clock' | 'probe'>
  readonly table: Pick<PeerTable, 'healthScore'>
  readonly intervalMs: number
  /** The address of a town; null where the topology does not list it. */
  readonly urlOf: (town: string) => string | null
}

/** A probe with its time-out, which follows from earlier round trips and the health of this host. */
export type ProbeTownNow = (
  town: string,
  roundTripsMs: ReadonlyArray<number>,
  signal: AbortSignal,
) => Promise<RepeatedProbe & { readonly timeoutMs: number }>

/** Makes the probe of towns at the address that the topology has now. A town without one counts as not sent. */
export const townProber =
  ({ host, table, intervalMs, urlOf }: TownProberSetup): ProbeTownNow =>
  async (town, roundTripsMs, signal) => {
    const timeoutMs = probeTimeoutMs(roundTripsMs, table.healthScore(), intervalMs)
    const url = urlOf(town)
    if (url === null) return { result: { _tag: 'NotSent' }, timeoutMs, roundTripMs: 0 }
    return { ...(await probeTown(host, { town, url, timeoutMs }, signal)), timeoutMs }
  }

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
