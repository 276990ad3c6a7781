import type { LoadPorts } from '#actors/corpus-keeper/load.js'
import { gitCommitter } from '#src/adapters/git-committer.js'
import { realClock } from '#src/kernel/clock.js'
import type { Tree } from '#src/kernel/kernel.js'
import { adoptionPlan } from './adoption-plan.js'
import { frontDeps } from './front-deps.js'
import { type Listeners, listeners } from './front-ports.js'
import { lookLog } from './look-log.js'
import type { NodeParts } from './node-parts.js'
import type { TreePorts } from './tree.js'

/** A node that runs: its tree, and the listeners for whoever prints where they listen. */
export interface RunningTree {
  readonly tree: Tree
  readonly doors: Listeners
}

/** What the actors are given of the real world. */
const treePorts = (parts: NodeParts, load: LoadPorts, doors: Listeners): TreePorts => {
  const { checkout, config, held, log, look } = parts
  return {
    keeper: { load, cell: held, looked: lookLog(log) },
    gate: {
      source: checkout.source,
      commit: checkout.isGit ? gitCommitter(checkout.repo) : null,
      nowMs: realClock.nowMs,
      plan: adoptionPlan(config),
      published: async () => {
        await look()
      },
    },
    front: doors,
  }
}

/** Starts the tree over the real world; `amend` lets a test of the whole node put ports of its own in between. */
export const runTree = (
  parts: NodeParts,
  load: LoadPorts,
  onGiveUp: () => void,
  amend: (ports: TreePorts) => TreePorts = ports => ports,
): RunningTree => {
  const { config, log, options } = parts
  const deps = frontDeps(parts)
  const doors = listeners(() => deps, {
    api: options.port ?? config['server.port'],
    ops: options.opsPort ?? 0,
  })
  const tree = parts.tree.run(amend(treePorts(parts, load, doors)), notice => {
    log.error('gave_up', { supervisor: notice.supervisor, error: notice.error })
    onGiveUp()
  })
  return { tree, doors }
}
