import type { TickPorts } from '#actors/fleet/workload-ticker.js'
import type { Config, FleetWorkload, ScheduleOwner } from '#protocol/host/config.js'
import { archiveStampReader } from '#src/adapters/git/archive-stamp.js'
import type { TreeRule } from '#src/adapters/git/corpus-tree.js'
import type { Prometheus } from '#src/adapters/metrics/prometheus.js'
import { gitFleetBranch } from '#src/adapters/sync/remote/takeover-git.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { configPath, readSchedules } from '#src/domain/config/schedules.js'
import { type FleetState, otherTowns } from '#src/domain/fleet/fleet-state.js'
import { type IdleReason, namesOtherApex, whyNoDuty } from '#src/domain/fleet/role.js'
import { type Topology, topologyPath } from '#src/domain/fleet/topology.js'
import { tell } from '#src/kernel/actor/ref.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { FleetDuty } from '#src/ports/fleet.js'
import type { WorkloadRunners } from '#src/ports/host.js'
import type { MintPeer } from '#src/ports/identity.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { tickMeter } from '../records/records.js'
import type { HostSync } from '../sync/sync.js'
import type { HostNode } from '../tree/node.js'
import type { ActorRefs } from '../tree/refs.js'
import { nodeDerived } from './derived.js'
import { realHost } from './host-clocks.js'
import type { PeersPorts } from './peers.js'
import { type FleetWatch, followRole, openFleetWatch, topologyReader } from './role.js'
import { nodeTakeovers } from './takeovers.js'
import { knownTowns, nodeMonitor } from './view.js'

/**
 * Opens what a node has of its fleet: its role, the takeovers that it decides and carries out, and what it
 * copies from the other towns.
 */
export const joinFleet = (
  sources: Sources,
  { secrets, version, tokens }: Pick<HostNode, 'secrets' | 'version' | 'tokens'>,
): Pick<HostNode, 'derived' | 'fleet' | 'monitor' | 'roleMode' | 'takeovers'> => {
  const { checkout, config, town, meter, log } = sources
  const { fleet, roleMode } = openFleet(sources)
  const towns = knownTowns({ ...sources, host: realHost, fleet })
  const takeovers = nodeTakeovers({ checkout, config, town, secrets, version, meter, log }, towns)
  const monitor = nodeMonitor({ config, peers: sources.peers.table, meter, log, clock: realHost.clock })
  const derived = openDerived(sources, fleet, tokens.mintPeer)
  return { derived, fleet, monitor, roleMode, takeovers }
}

/** What the front needs of the fleet, and every tick before it acts. */
export const fleetDuty = ({ snapshot, config, fleet, sync }: DutySources): FleetDuty => {
  const whyNot = (owner: ScheduleOwner): IdleReason | null => {
    const maxMinutes = config['server.sync_max_age_min']
    return whyNoDuty({
      ...fleet.state(),
      syncAgeMs: sync.ageMs(),
      syncMaxAgeMs: maxMinutes === 0 ? Number.POSITIVE_INFINITY : maxMinutes * minuteMs,
      owner,
    })
  }
  return {
    fleet: fleet.state,
    syncAgeMs: sync.ageMs,
    whyNoDuty: () => whyNot('fleet'),
    whyNoTick: workload => {
      const served = snapshot()
      // Before the first snapshot no owner is known, so no tick runs.
      if (served === null) return 'not_converged'
      return whyNot(readSchedules(served.files.get(configPath) ?? null).of(workload).owner)
    },
  }
}

/** Returns the function that reads the host of this town's `url`, under which it is published (D34). */
export const makeHostsReader =
  ({ fleet }: Pick<HostNode, 'fleet'>): (() => ReadonlySet<string>) =>
  () => {
    const { topology, town } = fleet.state()
    return topology === null ? noHosts : (hostsByTown(topology).get(town) ?? noHosts)
  }

/** Notifies actors of what the fleet state and the watchers of the other towns see. */
export interface FleetNotifier extends PeerNotifier {
  /** Called when this host obeys another version of the topology: its cooldown is looked at. */
  readonly versionChanged: () => void
  /** Called when the served commit changed, or a town was probed. */
  readonly derivedChanged: () => void
  /** Called when the role changed the mode: the gate settles it in its turn. */
  readonly modeChanged: () => void
}

/** Connects the watchers with the failover and the sync. */
export const peerNotifier = (connected: () => Connected<'sync' | 'failover'>): PeerNotifier => ({
  sync: () => connected().refs.sync,
  missed: (town, isAllDark) => {
    const { refs, state } = connected()
    if (state.topology?.apex !== town) return
    tell(refs.failover, { _tag: 'Swept' })
    // A converge shows whether this host reaches the remote, or nothing.
    if (isAllDark) tell(refs.sync, { _tag: 'Announced' })
  },
  // The fetched topology alone decides who leads (S1): a card is believed no more than an announcement is.
  cardRead: card => {
    const { refs, state } = connected()
    if (namesOtherApex(card, state.topology)) tell(refs.sync, { _tag: 'Announced' })
  },
})

/** Connects the fleet state and the watchers with the actors, which are placed later than both are made. */
export const fleetNotifier = (connected: () => Connected<keyof ActorRefs>): FleetNotifier => ({
  ...peerNotifier(connected),
  versionChanged: () => void tell(connected().refs.takeovers, { _tag: 'Wake' }),
  derivedChanged: () => void tell(connected().refs.derived, { _tag: 'Wake' }),
  modeChanged: () => void tell(connected().refs.gate, { _tag: 'SettleRole' }),
})

type TickSources = Pick<HostNode, 'snapshot' | 'config' | 'fleet' | 'sync' | 'log' | 'runners'> & {
  readonly metrics: Pick<HostNode['metrics'], 'meter'>
}

/** Begins the metrics of each workload that has a runner, and returns what measures the end of its ticks. */
const openMeters = (runners: WorkloadRunners, { meter }: TickSources['metrics']) => {
  const meters = new Map<FleetWorkload, ReturnType<typeof tickMeter>>()
  for (const [workload, { budgetMs }] of runners) {
    meter.count('svc_tick_failures_total', { tick: workload }, 0)
    meters.set(workload, tickMeter(meter, workload, budgetMs))
  }
  return meters
}

/** The ports of the workload ticker. The log has why a workload is idle once, until that changes or it runs. */
export const workloadTickerPorts = (sources: TickSources): TickPorts => {
  const { fleet, log, metrics, runners } = sources
  const { whyNoTick } = fleetDuty(sources)
  const meters = openMeters(runners, metrics)
  const idleFor = new Map<FleetWorkload, string>()
  return {
    runners,
    running: new Set(),
    sight: workload => ({ whyNot: whyNoTick(workload), fence: fleet.state().fence }),
    monotonicMs: realClock.monotonicMs,
    idle: (workload, reason) => {
      if (idleFor.get(workload) !== reason) log.info('workload_idle', { workload, reason })
      idleFor.set(workload, reason)
    },
    failed: (workload, error) => {
      metrics.meter.count('svc_tick_failures_total', { tick: workload })
      log.error('workload_failed', { workload, error })
    },
    ended: (workload, elapsedMs) => {
      idleFor.delete(workload)
      meters.get(workload)?.(elapsedMs)
    },
  }
}

type Sources = Pick<
  HostNode,
  'checkout' | 'config' | 'held' | 'sync' | 'mode' | 'peers' | 'records' | 'log'
> &
  Pick<FleetNotifier, 'versionChanged' | 'derivedChanged' | 'modeChanged'> & {
    readonly trees: TreeRule
    readonly town: string
    readonly meter: Prometheus['meter']
  }

/** Opens the fleet state of a node and connects it with the served snapshot, the sync and the watchers. */
const openFleet = ({
  checkout,
  config,
  held,
  sync,
  mode,
  peers,
  records,
  log,
  town,
  meter,
  versionChanged,
  modeChanged,
}: Sources): Pick<HostNode, 'fleet' | 'roleMode'> => {
  let version: string | null = null
  const branch = gitFleetBranch(checkout.repo, config['server.sync_remote'])
  const roleMode = followRole(mode, checkout.isGit && !config['server.read_only'], modeChanged)
  const fleet = openFleetWatch({
    town,
    branch: checkout.isGit ? branch : null,
    read: topologyReader(checkout.source, branch),
    fetches: sync.setup.intervalMs > 0,
    store: checkout.runtime.obeyedTopology,
    follow: (state, isRoleChange) => {
      roleMode.follow(state, isRoleChange)
      peers.watchTowns(otherTowns(state))
      const commit = state.fence?.commit ?? null
      if (commit !== version) versionChanged()
      version = commit
    },
    meter,
    publish: records.publish,
    log,
  })
  held.watch(() => {
    const file = held.get()?.build.snapshot.files.get(topologyPath)
    fleet.onHeadMoved(file?.blob ?? null)
  })
  sync.report.watch(() => {
    const known = sync.report.get()
    if (known !== null && known.lastOk !== null) fleet.onConverged()
  })
  return { fleet, roleMode }
}

/** Opens the derived artifacts, and wakes their copier when the commit changes and after each probe. */
const openDerived = (
  { checkout, config, trees, held, peers, log, meter, derivedChanged }: Sources,
  fleet: HostNode['fleet'],
  mintPeer: MintPeer,
): HostNode['derived'] => {
  const commit = () => held.get()?.build.snapshot.commit ?? null
  let last = commit()
  held.watch(() => {
    const now = commit()
    if (now !== last) derivedChanged()
    last = now
  })
  peers.table.watch(derivedChanged)
  return nodeDerived({
    state: checkout.state,
    commit,
    readStamp: archiveStampReader({ repo: checkout.repo, rule: trees }, config['corpora.logi']),
    fleet,
    peers: peers.table,
    mintPeer,
    meter,
    log,
    nowMs: realHost.clock.nowMs,
  })
}

const minuteMs = 60_000

interface DutySources {
  /** The snapshot that the host serves; null before the first. */
  readonly snapshot: () => Pick<Snapshot, 'files'> | null
  readonly config: Pick<Config, 'server.sync_max_age_min'>
  readonly fleet: Pick<FleetWatch, 'state'>
  readonly sync: Pick<HostSync, 'ageMs'>
}

const noHosts: ReadonlySet<string> = new Set()

const hostsByTown = perValue(
  ({ towns }: Topology): ReadonlyMap<string, ReadonlySet<string>> =>
    new Map([...towns.values()].map(({ name, url }) => [name, new Set([new URL(url).hostname])])),
)

/** What the watchers of the other towns send to actors. */
type PeerNotifier = Pick<PeersPorts, 'sync' | 'missed' | 'cardRead'>

interface Connected<Key extends keyof ActorRefs> {
  readonly refs: Pick<ActorRefs, Key>
  readonly state: Pick<FleetState, 'topology'>
}
