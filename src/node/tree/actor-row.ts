import type { LoadPorts } from '#actors/corpus-keeper/load.js'
import type { FrontPorts } from '#actors/http-front.js'
import type { Config } from '#protocol/config/keys.js'
import type { Actor, Tagged } from '#src/kernel/actor/actor.js'
import type { Kernel, Place } from '#src/kernel/kernel.js'
import type { ChildPolicy } from '#src/kernel/supervisor-spec.js'
import type { node } from '#supervisors/node.js'
import type { HostSync } from '../sync/host-sync.js'
import type { NodeParts } from './node-parts.js'

export type SupervisorName = (typeof node)['children'][number]['id']

/** What the behaviour of an actor is made of. */
export interface ActorSetup {
  readonly config: Config
  readonly sync: HostSync
}

/** What the ports of an actor are made of. */
export interface PortSources extends NodeParts {
  readonly load: LoadPorts
  readonly listeners: FrontPorts
}

interface Supervised {
  /** The name of the actor: its id under the supervisor, and its label in metrics and logs. */
  readonly name: string
  readonly supervisor: SupervisorName
  /** What the actor does, as the drawn tree says it. */
  readonly task: string
  readonly policy: ChildPolicy
}

interface ActorEntry<S, M extends Tagged, E extends Tagged, P> extends Supervised {
  readonly behaviour: (setup: ActorSetup) => Actor<S, M, E, P>
  readonly ports: (sources: PortSources) => P
}

/** An actor of the node, whose state and effects only its behaviour knows: `M` goes in by its ref, `P` is its ports. */
export interface ActorRow<M, P> extends Supervised {
  readonly place: (kernel: Kernel, setup: ActorSetup) => Place<M, P>
  readonly ports: (sources: PortSources) => P
}

/** Makes a row of the table. `place` throws when the behaviour names itself otherwise than the row. */
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
