import { isLeft } from 'fp-ts/lib/Either.js'
import type {
  MonitorOutcome,
  MonitorWatcherOptions,
  MonitorWatcherPorts,
} from '#actors/fleet/monitor-watcher.js'
import { instantOf } from '#protocol/atoms.js'
import type { FleetMonitor } from '#protocol/fleet/monitor.js'
import type { Config } from '#protocol/host/config.js'
import type { ForgeAnswer } from '#protocol/host/forge.js'
import { fetchText } from '#src/adapters/outbound/fetch-text.js'
import { forgeHttp } from '#src/adapters/outbound/forge-http.js'
import type { FleetView } from '#src/domain/fleet/candidates.js'
import {
  isMonitorStale,
  noMonitorView,
  readMonitorDocument,
  type TwoClocks,
  takeFetched,
  vantageSplitsOf,
} from '#src/domain/fleet/monitor.js'
import { cardMinutesOf, countsAfterMs, judgeAnswer, lateMs } from '#src/domain/fleet/peers.js'
import type { TopologyFence } from '#src/domain/fleet/role.js'
import type { TownProbe } from '#src/domain/fleet/takeover-run.js'
import { type ForgeAddressFault, projectAddress } from '#src/domain/forge/wire.js'
import { labelCode } from '#src/domain/outbound/outbound.js'
import type { KernelClock } from '#src/kernel/time/clock.js'
import type { ForgePort } from '#src/ports/fleet.js'
import type { Meter } from '#src/ports/records.js'
import type { Secrets } from '../identity/secrets.js'
import type { Log } from '../records/records.js'
import type { HostSync } from '../sync/sync.js'
import type { HostPorts } from './host-clocks.js'
import { type NodePeers, type PeerTable, probeTown } from './peers.js'
import type { FleetWatch } from './role.js'

/** What a takeover reads of the fleet, at the time of the call and from memory. */
export interface KnownTowns {
  /** The version of the topology that this host obeys; null off the fleet. */
  readonly fence: () => TopologyFence | null
  /** The towns as this host sees them, none of them dark while it is isolated; null off the fleet. */
  readonly view: () => FleetView | null
  /** The same with the misses that count for nothing while this host is isolated. */
  readonly suspectView: () => FleetView | null
  readonly noteReach: PeerTable['noteReach']
  /** Asks a town for its card now, for as long as a sweep and a late answer to it may take. */
  readonly probe: (town: string, signal: AbortSignal) => Promise<TownProbe>
}

/** A host that is in no fleet. */
export const noTowns: KnownTowns = {
  fence: () => null,
  view: () => null,
  suspectView: () => null,
  noteReach: () => undefined,
  probe: () => Promise.resolve('not_sent'),
}

/**
 * The fleet as the topology, the records of the peers, and the sync of this host show it. The host has the age that its
 * card shows to the others: a finer one would rank it behind every town that converged at the same time.
 */
export const knownTowns = ({
  host,
  config,
  sync,
  fleet,
  peers,
}: {
  readonly host: Pick<HostPorts, 'clock' | 'probe'>
  readonly config: Pick<Config, 'server.sync_max_age_min'>
  readonly sync: Pick<HostSync, 'ageMs'>
  readonly fleet: Pick<FleetWatch, 'state'>
  readonly peers: Pick<NodePeers, 'table' | 'intervalMs'>
}): KnownTowns => {
  const urlOf = (town: string): string | null => fleet.state().topology?.towns.get(town)?.url ?? null
  const times = { timeoutMs: countsAfterMs(peers.intervalMs) + lateMs, lateMs: 0 }
  const { table } = peers
  const viewOf = (countsMisses: boolean): FleetView | null => {
    const { topology, town } = fleet.state()
    if (topology === null) return null
    const own = { isReachable: true, consecutiveMisses: 0, syncAgeMinutes: cardMinutesOf(sync.ageMs()) }
    const seen = [...table.views()].map(
      ([name, view]) => [name, countsMisses ? view : { ...view, consecutiveMisses: 0 }] as const,
    )
    const syncMaxAgeMinutes = config['server.sync_max_age_min'] || Number.POSITIVE_INFINITY
    return { topology, views: new Map([...seen, [town, own] as const]), syncMaxAgeMinutes }
  }
  return {
    fence: () => (fleet.state().topology === null ? null : fleet.state().fence),
    view: () => viewOf(!table.isIsolated()),
    suspectView: () => viewOf(true),
    noteReach: table.noteReach,
    probe: async (town, signal) => {
      const probed = await probeTown(host, { town, url: urlOf(town) }, times, signal)
      const result = judgeAnswer(table.records().get(town), probed.result, host.clock.monotonicMs())
      if (result._tag === 'NotSent') return 'not_sent'
      return result._tag === 'Answered' ? 'answers' : 'silent'
    },
  }
}

/** What is wrong with the setting, for an operator. */
export const describeForgeAbsence = (why: ForgeAbsence): string =>
  why === 'token' ? 'SVC_FORGE_TOKEN is not set' : `integrations.forge.${why} is not usable`

export type HostForge =
  | { readonly _tag: 'Forge'; readonly call: ForgePort }
  | { readonly _tag: 'NoForge'; readonly why: ForgeAbsence }

/** The forge of this host's configuration and token; without any of them, what is missing. */
export const forgeOf = ({ config, secrets, version, meter, nowMs }: ForgeSources): HostForge => {
  const { forgeToken: token } = secrets
  if (token === null) return { _tag: 'NoForge', why: 'token' }
  const address = projectAddress(config['integrations.forge.api_url'], config['integrations.forge.project'])
  if (typeof address !== 'string') return { _tag: 'NoForge', why: address.bad }
  const userAgent = `Kronika (self-hosted, ${version})`
  return { _tag: 'Forge', call: countCalls(forgeHttp({ address, token, userAgent, nowMs }), meter) }
}

export const monitorWatcherOptions = (config: MonitorConfig): MonitorWatcherOptions => ({
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
export const nodeMonitor = ({
  config,
  peers,
  meter,
  log,
  clock,
}: {
  readonly config: MonitorConfig
  readonly peers: Pick<PeerTable, 'records'>
  readonly meter: Pick<Meter, 'count'>
  readonly log: Pick<Log, 'info' | 'warn'>
  /** Wall and monotonic time. */
  readonly clock: Pick<KernelClock, 'monotonicMs' | 'nowMs'>
}): NodeMonitor => {
  const readClocks = (): TwoClocks => ({ wallMs: clock.nowMs(), monotonicMs: clock.monotonicMs() })
  const url = config['fleet.monitor_url']
  const staleAfterMs = config['fleet.monitor_stale_after_s'] * 1_000
  let view = noMonitorView
  return {
    ports: {
      fetch: signal => fetchDocument(url, signal),
      record: outcome => {
        const before = view.failure
        view = takeFetched(view, outcome, readClocks())
        const { failure } = view
        meter.count('svc_outbound_requests_total', { target: 'monitor', code: failure ?? '200' })
        if (failure !== null && failure !== before) log.warn('monitor_unread', { reason: failure })
        if (failure === null && before !== null) log.info('monitor_read')
      },
    },
    view: () => {
      const { document, failure, fetchedMs } = view
      return {
        configured: url !== '',
        stale: isMonitorStale(view, staleAfterMs, readClocks()),
        fetchedUtc: document === null ? null : instantOf(fetchedMs),
        failure,
        document,
        vantageSplit: vantageSplitsOf(document, peers.records()),
      }
    },
  }
}

/** Why this host cannot call the forge: a setting that is missing or unusable. */
type ForgeAbsence = 'token' | ForgeAddressFault

interface ForgeSources {
  readonly config: Config
  readonly secrets: Secrets
  readonly version: string
  readonly meter: Pick<Meter, 'count'>
  /** Wall time. */
  readonly nowMs: () => number
}

const codeOf = ({ outcome, status }: ForgeAnswer): string => {
  if (status !== null) return labelCode(status)
  return outcome._tag === 'NoAnswer' ? outcome.failure : 'unreachable'
}

/** The port, with its calls counted. */
const countCalls =
  (port: ForgePort, meter: ForgeSources['meter']): ForgePort =>
  async (...given) => {
    const answer = await port(...given)
    meter.count('svc_outbound_requests_total', { target: 'forge', code: codeOf(answer) })
    if (answer.outcome._tag === 'Limited')
      meter.count('svc_outbound_rate_limited_total', { target: 'forge', scope: 'user' })
    return answer
  }

/** A document of 256 towns has some 30 KiB. */
const limits = { timeoutMs: 10_000, bytesMax: 262_144 }

type MonitorConfig = Pick<
  Config,
  'fleet.monitor_url' | 'fleet.monitor_stale_after_s' | 'fleet.watch_interval_min'
>

const fetchDocument = async (url: string, signal: AbortSignal): Promise<MonitorOutcome> => {
  const text = await fetchText(url, limits, signal)
  const read = isLeft(text) ? text : readMonitorDocument(text.right)
  return isLeft(read) ? { _tag: 'Failed', why: read.left } : { _tag: 'Read', document: read.right }
}
