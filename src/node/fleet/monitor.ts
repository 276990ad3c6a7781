import { isLeft } from 'fp-ts/lib/Either.js'
import type {
  MonitorOutcome,
  MonitorWatcherPorts,
  MonitorWatcherSetup,
} from '#actors/fleet/monitor-watcher.js'
import { instantOf } from '#protocol/atoms.js'
import type { FleetMonitor } from '#protocol/fleet/monitor.js'
import type { Config } from '#protocol/host/config.js'
import { fetchText } from '#src/adapters/outbound/fetch-text.js'
import {
  isMonitorStale,
  noMonitorView,
  readMonitorDocument,
  type TwoClocks,
  takeFetched,
  vantageSplitsOf,
} from '#src/domain/fleet/monitor.js'
import type { KernelClock } from '#src/kernel/time/clock.js'
import type { Meter } from '#src/ports/records.js'
import type { Log } from '../records/records.js'
import type { PeerTable } from './peers.js'

export const monitorWatcherSetup = (config: MonitorConfig): MonitorWatcherSetup => ({
  isConfigured: config['fleet.monitor_url'] !== '',
  intervalMs: config['fleet.watch_interval_min'] * 60_000,
})

/** The view of the outside monitor on this host, in memory. */
export interface NodeMonitor {
  readonly ports: MonitorWatcherPorts
  /** The view now, beside that of the peers. */
  readonly view: () => FleetMonitor
}

/** Opens the view of the monitor; fetches nothing. */
export const nodeMonitor = ({ config, peers, meter, log, clock }: MonitorSetup): NodeMonitor => {
  const readClocks = (): TwoClocks => ({ wallMs: clock.nowMs(), monotonicMs: clock.monotonicMs() })
  const url = config['fleet.monitor_url']
  const staleAfterMs = config['fleet.monitor_stale_after_s'] * 1_000
  let sight = noMonitorView
  return {
    ports: {
      fetch: signal => fetchDocument(url, signal),
      record: outcome => {
        const before = sight.failure
        sight = takeFetched(sight, outcome, readClocks())
        const { failure } = sight
        meter.count('svc_outbound_requests_total', { target: 'monitor', code: failure ?? '200' })
        if (failure !== null && failure !== before) log.warn('monitor_unread', { reason: failure })
        if (failure === null && before !== null) log.info('monitor_read')
      },
    },
    view: () => {
      const { document, failure, fetchedMs } = sight
      return {
        configured: url !== '',
        stale: isMonitorStale(sight, staleAfterMs, readClocks()),
        fetchedUtc: document === null ? null : instantOf(fetchedMs),
        failure,
        document,
        vantageSplit: vantageSplitsOf(document, peers.records()),
      }
    },
  }
}

/** A document of 256 towns has some 30 KiB. */
const limits = { timeoutMs: 10_000, bytesMax: 262_144 }

type MonitorConfig = Pick<
  Config,
  'fleet.monitor_url' | 'fleet.monitor_stale_after_s' | 'fleet.watch_interval_min'
>

interface MonitorSetup {
  readonly config: MonitorConfig
  readonly peers: Pick<PeerTable, 'records'>
  readonly meter: Pick<Meter, 'count'>
  readonly log: Pick<Log, 'info' | 'warn'>
  /** Wall and monotonic time. */
  readonly clock: Pick<KernelClock, 'monotonicMs' | 'nowMs'>
}

const fetchDocument = async (url: string, signal: AbortSignal): Promise<MonitorOutcome> => {
  const text = await fetchText(url, limits, signal)
  const read = isLeft(text) ? text : readMonitorDocument(text.right)
  return isLeft(read) ? { _tag: 'Failed', why: read.left } : { _tag: 'Read', document: read.right }
}
