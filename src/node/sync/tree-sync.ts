import { repositorySync, type SyncPorts } from '#actors/repository-sync/repository-sync.js'
import type { EndedConverge, RepositorySyncMessage } from '#actors/repository-sync/state.js'
import type { CommitId, FurtherTree } from '#protocol/atoms.js'
import type { Config } from '#protocol/host/config.js'
import { isConverged } from '#protocol/host/sync.js'
import { gitRemote } from '#src/adapters/sync/remote/remote.js'
import { tell } from '#src/kernel/actor/ref.js'
import type { ActorPlace, Kernel } from '#src/kernel/kernel.js'
import type { Child } from '#src/kernel/supervision/child.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { Log } from '../records/records.js'
import type { HeldTrees } from '../start/trees.js'
import type { HostNode, NodeTree } from '../tree/node.js'
import { makeAdvanceBranch, makeHoldGate, remotePlaceOf, whereItStands } from './repository-sync.js'
import { hostSync } from './sync.js'

/** The further trees of a node, each with its sync, which is an actor of its own. */
export interface PlacedTrees {
  readonly trees: ReadonlyMap<FurtherTree, NodeTree>
  /** The actors with their ports, for the supervisor. */
  readonly syncsOf: (node: HostNode) => ReadonlyArray<{ readonly name: string; readonly child: Child }>
}

/** Places an actor for the sync of each tree. Starts nothing. */
export const placeTrees = (
  kernel: Pick<Kernel, 'place'>,
  config: Config,
  held: HeldTrees['trees'],
): PlacedTrees => {
  const trees = new Map<FurtherTree, NodeTree>()
  const places = new Map<FurtherTree, ActorPlace<RepositorySyncMessage, SyncPorts>>()
  for (const [name, tree] of held) {
    const sync = hostSync({ isGit: true, state: tree.state }, config)
    const place = kernel.place(repositorySync(sync.setup, actorName(name)))
    places.set(name, place)
    trees.set(name, { ...tree, sync, syncRef: place.ref })
  }
  return {
    trees,
    syncsOf: node =>
      [...places].flatMap(([name, place]) => {
        const tree = trees.get(name)
        const child = tree === undefined ? [] : [place.with(treeSyncPorts(node, name, tree))]
        return child.map(one => ({ name: actorName(name), child: one }))
      }),
  }
}

/** Returns the function that tells the sync of each further tree, after a look, that its branch has moved. */
export const tellOfTreeCommits = ({
  trees,
  snapshot,
}: Pick<HostNode, 'trees' | 'snapshot'>): (() => void) => {
  const told = new Map<FurtherTree, CommitId>()
  return () => {
    for (const [name, { commit }] of snapshot()?.treeHeads ?? []) {
      const ref = trees.get(name)?.syncRef
      if (ref === undefined || commit === null || told.get(name) === commit) continue
      told.set(name, commit)
      tell(ref, { _tag: 'Wrote', commit })
    }
  }
}

const actorName = (name: FurtherTree): string => `repository-sync-${name}`

/**
 * The ports of the sync of one further tree. Its remote has the name of the lore's, and its branch is that of the
 * remote's head. Its converges are in the log, with the tree, and in `GET /sync`; metrics and events are of the lore.
 */
const treeSyncPorts = (node: HostNode, name: FurtherTree, tree: NodeTree): SyncPorts => {
  const { repo, state, stands, sync } = tree
  const { refs, log } = node
  const remote = gitRemote({ ...remotePlaceOf(node), repo, tree: name, state, branch: '' })
  return {
    remote: sync.timeRemote(whereItStands(remote, stands)),
    advance: makeAdvanceBranch(refs.gate, name),
    hold: makeHoldGate(refs.gate, realClock, name),
    nowMs: realClock.nowMs,
    after: realClock.after,
    requests: {
      missing: `Mode mr makes requests for the lore only. Push corpora.${name} by hand, or let a person merge it.`,
    },
    accepted: () => undefined,
    timed: (step, work) => {
      sync.running.set({ step, sinceMs: realClock.monotonicMs() })
      return work()
    },
    report: sync.report.set,
    ticked: () => undefined,
    concluded: ended => {
      logConverge(log, name, ended)
      return Promise.resolve()
    },
  }
}

const logConverge = (
  log: Pick<Log, 'info' | 'warn'>,
  tree: FurtherTree,
  { run, action, detail, head, sent }: EndedConverge,
): void => {
  for (const { ref, commit, files } of run.parked) log.warn('sync_parked', { tree, ref, commit, files })
  if (!isConverged(action)) return log.warn('sync_failed', { tree, action, reason: detail })
  if (run.received > 0) log.info('pulled', { tree, commits: run.received, merged: run.merged, commit: head })
  if (sent > 0) log.info('pushed', { tree, commits: sent, commit: head })
}
