import type { Child } from './child.js'
import type { Core } from './core.js'
import { containFailures } from './meter.js'
import { addChild, removeChild, superviseChildren } from './supervisor.js'
import type { ChildPolicy, SupervisorPolicy } from './supervisor-spec.js'
import { makeListSupervisor, type Supervisor } from './supervisor-state.js'

/** A group whose children follow a list, one for each id. */
export interface ChildListSpec {
  readonly policy: SupervisorPolicy
  /** Of each child, which has a restart budget of its own. */
  readonly childPolicy: ChildPolicy
  /** Makes the child of an id that is new on the list. */
  readonly make: (id: string) => Child
  /** Called when a child exceeded its budget and stays down, where the policy abandons it. */
  readonly onAbandoned?: (id: string) => void
}

export interface ChildList {
  readonly child: Child
  /**
   * Closes the children whose ids left the list and starts one for each new id; the others run on. Before the
   * group starts it only keeps the list. Does nothing once the group drains.
   */
  readonly follow: (ids: ReadonlyArray<string>) => void
}

/** Makes the group with an empty list; `onClosed` receives the children that left it. */
export const makeChildList = (
  core: Core,
  { policy, childPolicy, make, onAbandoned = () => undefined }: ChildListSpec,
  onClosed: (child: Child) => void,
): ChildList & { readonly supervisor: Supervisor } => {
  const supervisor = makeListSupervisor(core, policy, containFailures(onAbandoned))
  const current = new Map<string, Child>()
  const dismiss = (id: string, child: Child): void => {
    current.delete(id)
    removeChild(supervisor, id)
    onClosed(child)
  }
  const enlist = (id: string): void => {
    const child = make(id)
    current.set(id, child)
    addChild(supervisor, { spec: { id, ...childPolicy }, child })
  }
  return {
    supervisor,
    child: superviseChildren(supervisor),
    follow: ids => {
      if (supervisor.phase === 'draining' || supervisor.phase === 'closed') return
      const wanted = new Set(ids)
      for (const [id, child] of [...current]) if (!wanted.has(id)) dismiss(id, child)
      for (const id of wanted) if (!current.has(id)) enlist(id)
    },
  }
}
