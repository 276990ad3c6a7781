import type { Config, ScheduleOwner } from '#protocol/host/config.js'
import { archiveStampReader } from '#src/adapters/git/archive-stamp.js'
import type { TreeRule } from '#src/adapters/git/corpus-tree.js'
import type { Prometheus } from '#src/adapters/metrics/prometheus.js'
import { gitFleetBranch } from '#src/adapters/sync/remote/takeover-git.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { configPath, readSchedules } from '#src/domain/config/schedules.js'
import { type FleetState, otherTowns } from '#src/domain/fleet/fleet-state.js'
import { type IdleReason, namesOtherApex, whyNoDuty } from '#src/domain/fleet/role.js'
import { type Topology, topologyPath } from '#src/domain/fleet/topology.js'
import type { FleetDeps } from '#src/http/handlers/fleet.js'
import { tell } from '#src/kernel/actor/ref.js'
import type { MintPeer } from '#src/ports/identity.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { HostSync } from '../sync/sync.js'
import type { Doors } from '../tree/doors.js'
import type { NodeParts } from '../tree/node.js'
import { nodeDerived } from './derived.js'
import { realHost } from './host-clocks.js'
import { nodeMonitor } from './monitor.js'
import type { PeersPorts } from './peers.js'
import { type FleetWatch, followRole, openFleetWatch, topologyReader } from './role.js'
import { nodeTakeovers } from './takeovers.js'
import { fleetSight } from './view.js'

/**
 * Opens the parts of a node in its fleet: its role, the takeovers that it decides and carries out, and what it
 * copies from the other towns.
 */
export const openFleetParts = (
  sources: Sources,
  { secrets, version, tokens }: Pick<NodeParts, 'secrets' | 'version' | 'tokens'>,
): Pick<NodeParts, 'derived' | 'fleet' | 'monitor' | 'roleMode' | 'takeovers'> => {
  const { checkout, config, town, meter, log } = sources
  const { fleet, roleMode } = openFleet(sources)
  const sight = fleetSight({ ...sources, host: realHost, fleet })
  const takeovers = nodeTakeovers({ checkout, config, town, secrets, version, meter, log }, sight)
  const monitor = nodeMonitor({ config, peers: sources.peers.table, meter, log, clock: realHost.clock })
  const derived = openDerived(sources, fleet, tokens.mintPeer)
  return { derived, fleet, monitor, roleMode, takeovers }
}

/** What the front needs of the fleet, and every tick before it acts. */
export const fleetDeps = ({
  snapshot,
  config,
  fleet,
  sync,
}: DutySources): Pick<FleetDeps, 'fleet' | 'syncAgeMs' | 'whyNoDuty' | 'whyNoTick'> => {
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
  ({ fleet }: Pick<NodeParts, 'fleet'>): (() => ReadonlySet<string>) =>
  () => {
    const { topology, town } = fleet.state()
    return topology === null ? noHosts : (hostsByTown(topology).get(town) ?? noHosts)
  }

/** What the fleet state and the watchers send to actors. */
export interface FleetSignals extends PeerSignals {
  /** Called when this host obeys another version of the topology: its cooldown is looked at. */
  readonly versionChanged: () => void
  /** Called when the served commit changed, or a town was probed. */
  readonly derivedChanged: () => void
  /** Called when the role changed the mode: the gate settles it in its turn. */
  readonly modeChanged: () => void
}

/** Connects the watchers with the failover and the sync. */
export const peerSignals = (connected: () => Connected<'sync' | 'failover'>): PeerSignals => ({
  sync: () => connected().doors.sync,
  missed: (town, isAllDark) => {
    const { doors, state } = connected()
    if (state.topology?.apex !== town) return
    tell(doors.failover, { _tag: 'Swept' })
    // A converge shows whether this host reaches the remote, or nothing.
    if (isAllDark) tell(doors.sync, { _tag: 'Announced' })
  },
  // The fetched topology alone decides who leads (S1): a card is believed no more than an announcement is.
  cardRead: card => {
    const { doors, state } = connected()
    if (namesOtherApex(card, state.topology)) tell(doors.sync, { _tag: 'Announced' })
  },
})

/** Connects the fleet state and the watchers with the actors, which are placed later than both are made. */
export const fleetSignals = (connected: () => Connected<keyof Doors>): FleetSignals => ({
  ...peerSignals(connected),
  versionChanged: () => void tell(connected().doors.takeovers, { _tag: 'Wake' }),
  derivedChanged: () => void tell(connected().doors.derived, { _tag: 'Wake' }),
  modeChanged: () => void tell(connected().doors.gate, { _tag: 'SettleRole' }),
})

type Sources = Pick<
  NodeParts,
  'checkout' | 'config' | 'held' | 'sync' | 'mode' | 'peers' | 'records' | 'log'
> & {
  readonly trees: TreeRule
  readonly town: string
  readonly meter: Prometheus['meter']
  /** Called when this host obeys another version of the topology. */
  readonly versionChanged: () => void
  /** Called when the served commit changed, or a town was probed. */
  readonly derivedChanged: () => void
  /** Called when the role changed the mode. */
  readonly modeChanged: () => void
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
}: Sources): Pick<NodeParts, 'fleet' | 'roleMode'> => {
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
  fleet: NodeParts['fleet'],
  mintPeer: MintPeer,
): NodeParts['derived'] => {
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
type PeerSignals = Pick<PeersPorts, 'sync' | 'missed' | 'cardRead'>

interface Connected<Door extends keyof Doors> {
  readonly doors: Pick<Doors, Door>
  readonly state: Pick<FleetState, 'topology'>
}
