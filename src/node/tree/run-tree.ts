import type { LoadPorts } from '#actors/corpus-keeper/load.js'
import type { ActorTree } from '#src/kernel/run-tree.js'
import { frontDeps } from '../front/front-deps.js'
import { type Listeners, listeners } from '../front/front-ports.js'
import type { PlacedNode } from './make-parts.js'
import type { TreePorts } from './tree.js'

/** A running node: its tree, and its listeners, whose addresses are on the ready line. */
export interface RunningTree {
  readonly tree: ActorTree
  readonly doors: Listeners
}

/** How a tree ends its process: when the root gives up, and on `POST /admin/shutdown`. */
export interface Ends {
  readonly onGiveUp: () => void
  readonly shutdown: () => void
}

/** Starts the tree with the real ports; `amend` lets a test of the whole node replace some of them. */
export const runNodeTree = (
  parts: PlacedNode,
  load: LoadPorts,
  ends: Ends,
  amend: (ports: TreePorts) => TreePorts = ports => ports,
): RunningTree => {
  const { config, log, options, texts } = parts
  if (load.works !== null) texts.works.set(load.works)
  const deps = frontDeps(parts, ends.shutdown)
  const doors = listeners(() => deps, {
    api: options.port ?? config['server.port'],
    ops: options.opsPort ?? 0,
  })
  const ports = parts.tree.ports({ ...parts, load, listeners: doors })
  const tree = parts.tree.run(amend(ports), notice => {
    log.error('gave_up', { supervisor: notice.supervisor, error: notice.error })
    ends.onGiveUp()
  })
  return { tree, doors }
}
