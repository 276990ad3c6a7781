import { archiveStampReader } from '#src/adapters/git/archive-stamp.js'
import type { TreeRule } from '#src/adapters/git/corpus-tree.js'
import type { Prometheus } from '#src/adapters/metrics/prometheus.js'
import { gitFleetBranch } from '#src/adapters/sync/remote/takeover-git.js'
import { otherTowns } from '#src/domain/fleet/fleet-state.js'
import { topologyPath } from '#src/domain/fleet/topology.js'
import type { MintPeer } from '#src/ports/identity.js'
import type { NodeParts } from '../tree/node-parts.js'
import { nodeDerived } from './derived/node-derived.js'
import { fleetSight } from './fleet-sight.js'
import { realHost } from './host-ports.js'
import { nodeMonitor } from './node-monitor.js'
import { nodeTakeovers } from './node-takeovers.js'
import { openFleetWatch } from './role/fleet-watch.js'
import { followRole } from './role/follow-role.js'
import { topologyReader } from './role/read-topology.js'

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
