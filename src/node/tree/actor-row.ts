import type { LoadPorts } from '#actors/corpus-keeper/load.js'
import type { FrontPorts } from '#actors/http-front.js'
import type { Config } from '#protocol/config.js'
import type { Actor, Tagged } from '#src/kernel/actor/actor.js'
import type { ActorPlace, Kernel } from '#src/kernel/kernel.js'
import type { ChildPolicy } from '#src/kernel/supervisor-spec.js'
import type { WorkloadRunners } from '#src/ports/host.js'
import type { node } from '#supervisors/node.js'
import type { HostSync } from '../sync/host-sync.js'
import type { NodeParts } from './node-parts.js'

export type SupervisorName = (typeof node)['children'][number]['id']

/** The parameters of an actor's behaviour. */
export interface ActorSetup {
  readonly config: Config
  readonly sync: Pick<HostSync, 'setup'>
  /** The town of this host; empty where it has none. */
  readonly town: string
  readonly runners: WorkloadRunners
}

/** The parameters of an actor's ports. */
export interface PortSources extends NodeParts {
  readonly load: LoadPorts
  readonly listeners: FrontPorts
}

interface Supervised {
  /** The actor's id under the supervisor, and its label in metrics and logs. */
  readonly name: string
  readonly supervisor: SupervisorName
  /** What the actor does, as the drawn tree shows it. */
  readonly task: string
  readonly policy: ChildPolicy
}

interface ActorEntry<S, M extends Tagged, E extends Tagged, P> extends Supervised {
  readonly behaviour: (setup: ActorSetup) => Actor<S, M, E, P>
  readonly ports: (sources: PortSources) => P
}

/** An actor of the node with its state and effects hidden: `M` is what its ref accepts, `P` its ports. */
export interface ActorRow<M, P> extends Supervised {
  readonly place: (kernel: Kernel, setup: ActorSetup) => ActorPlace<M, P>
  readonly ports: (sources: PortSources) => P
}

/** Makes a row of the table. `place` throws when the behaviour has another name than the row. */
export const actorRow = <S, M extends Tagged, E extends Tagged, P>({
  behaviour,
  ...row
}: ActorEntry<S, M, E, P>): ActorRow<M, P> => ({
  ...row,
  place: (kernel, setup) => {
    const actor = behaviour(setup)
    if (actor.name !== row.name) throw new Error(`the row of ${row.name} places ${actor.name}`)
    return kernel.place(actor)
  },
})
