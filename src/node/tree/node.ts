import type { Either } from 'fp-ts/lib/Either.js'
import type { LookOutcome } from '#actors/corpus-keeper/corpus-keeper.js'
import type { Loaded, LoadPorts } from '#actors/corpus-keeper/load.js'
import type { FrontPorts } from '#actors/http-front.js'
import type { RepositorySyncMessage } from '#actors/repository-sync/state.js'
import type { ModeCell } from '#actors/write-gate/mode.js'
import type { FurtherTree } from '#protocol/atoms.js'
import type { Config } from '#protocol/host/config.js'
import type { Prometheus } from '#src/adapters/metrics/prometheus.js'
import type { ServeOptions } from '#src/cli/options.js'
import type { GateState } from '#src/domain/admin/gate-arms.js'
import type { IsVerified } from '#src/domain/audit/verified-commits.js'
import type { WriteLimit } from '#src/http/credentials/caller-limits.js'
import type { Actor, Tagged } from '#src/kernel/actor/actor.js'
import type { AskFailure, Ref } from '#src/kernel/actor/ref.js'
import type { ActorPlace, Kernel } from '#src/kernel/kernel.js'
import type { ChildPolicy } from '#src/kernel/supervision/supervisor-spec.js'
import type { TreeSource } from '#src/ports/git.js'
import type { MeasureMaps, WorkloadRunners } from '#src/ports/host.js'
import type { ReadEvidence } from '#src/ports/transcripts.js'
import type { Cell } from '#src/snapshot/cell.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { node } from '#supervisors/node.js'
import type { NodeDelivery, NodeNotices } from '../chat/delivery.js'
import type { ReleaseNotices } from '../chat/enactment-notices.js'
import type { NodeDispatch } from '../chat/interactions.js'
import type { NodeDerived } from '../fleet/derived.js'
import type { NodePeers } from '../fleet/peers.js'
import type { FleetWatch, RoleMode } from '../fleet/role.js'
import type { NodeTakeovers } from '../fleet/takeovers.js'
import type { NodeMonitor } from '../fleet/view.js'
import type { CallerLimiter, Followers } from '../gate/limit-callers.js'
import type { BlockWatch } from '../gate/watch.js'
import type { Secrets } from '../identity/secrets.js'
import type { HostTokens, RefusalTeller } from '../identity/tokens.js'
import type { NodeModels } from '../models/models.js'
import type { Readers } from '../readers/readers.js'
import type { Log, Records } from '../records/records.js'
import type { NodeSearch } from '../search/search.js'
import type { HostSearch } from '../search/texts.js'
import type { Checkout } from '../start/checkout.js'
import type { Environment } from '../start/environment.js'
import type { HeldTree } from '../start/trees.js'
import type { HostSync } from '../sync/sync.js'
import type { NodeMentions } from '../transcripts/mentions.js'
import type { NodeTranscripts } from '../transcripts/transcripts.js'
import type { ActorRefs } from './refs.js'

/** What a node is made of, before it runs. */
export interface HostNode {
  readonly options: ServeOptions
  readonly checkout: Checkout
  readonly version: string
  readonly build: string
  readonly bootMs: number
  readonly environment: Environment
  readonly secrets: Secrets
  readonly log: Log
  readonly config: Config
  readonly held: Cell<Loaded>
  /** The outcome of the last look at HEAD; null before the first. */
  readonly lastLook: Cell<LookOutcome>
  readonly snapshot: () => Snapshot | null
  readonly gate: () => GateState
  readonly mode: ModeCell
  /** What blocks writes, beside the arms of the gate. */
  readonly blocks: BlockWatch
  readonly metrics: Prometheus
  readonly records: Records
  readonly tokens: HostTokens
  /** Writes refused credentials; it is ended before the node drains. */
  readonly refusals: RefusalTeller
  readonly sync: HostSync
  /** The other trees that this host writes. */
  readonly trees: ReadonlyMap<FurtherTree, NodeTree>
  readonly takeovers: NodeTakeovers
  readonly dispatch: NodeDispatch
  /** The messages of this host to the chat platform. */
  readonly delivery: NodeDelivery
  /** What this host tells the chat by itself. */
  readonly notices: NodeNotices
  /** Queues the notices of writes whose commits the remote has. */
  readonly releaseNotices: ReleaseNotices
  /** What runs the workloads that the fleet owns. */
  readonly runners: WorkloadRunners
  readonly measureMaps: MeasureMaps
  /** The part of this host in its fleet. */
  readonly fleet: FleetWatch
  /** The mode, as it follows the role of this host. */
  readonly roleMode: RoleMode
  /** The limit of the writes of people, shared by the front and the dispatch queue. */
  readonly writeLimit: WriteLimit
  /** Limits what each caller has in the gate and under way. */
  readonly callers: CallerLimiter
  /** The followers of the gate's jobs. */
  readonly followers: Followers
  /** The actors that others send to. */
  readonly refs: ActorRefs
  /** The watchers of the other towns. */
  readonly peers: NodePeers
  /** The view of the outside monitor. */
  readonly monitor: NodeMonitor
  /** The derived artifacts of this host. */
  readonly derived: NodeDerived
  readonly readers: Readers
  readonly search: NodeSearch
  /** The index of the transcripts. */
  readonly transcripts: NodeTranscripts
  readonly mentions: NodeMentions
  readonly models: NodeModels
  /** What transcripts and sessions show of lineages. */
  readonly evidence: ReadEvidence
  /** The tree of `corpora.probki`; empty where there is none. Set once the trees of the configuration are open. */
  readonly tuning: Cell<TreeSource>
  /** The texts that search reads. */
  readonly texts: HostSearch
  /** Whether the trailers of a commit are authentic. */
  readonly isVerified: IsVerified
  /** Looks at HEAD now; the answer is from a look that began after the call. Default deadline: a minute. */
  readonly look: (deadlineMs?: number) => Promise<Either<AskFailure, LookOutcome>>
}

/** A further tree, and the actor that brings it and its remote together. */
export interface NodeTree extends HeldTree {
  readonly sync: HostSync
  readonly syncRef: Ref<RepositorySyncMessage>
}

export type SupervisorName = (typeof node)['children'][number]['id']

/** The parameters of an actor's behaviour. */
export interface ActorOptions {
  readonly config: Config
  readonly sync: Pick<HostSync, 'setup'>
  /** The town of this host; empty where it has none. */
  readonly town: string
  readonly runners: WorkloadRunners
}

/** The parameters of an actor's ports. */
export interface PortSources extends HostNode {
  readonly load: LoadPorts
  readonly listeners: FrontPorts
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

interface Supervised {
  /** The actor's id under the supervisor, and its label in metrics and logs. */
  readonly name: string
  readonly supervisor: SupervisorName
  /** What the actor does, as the drawn tree shows it. */
  readonly task: string
  readonly policy: ChildPolicy
}

interface ActorEntry<S, M extends Tagged, E extends Tagged, P> extends Supervised {
  readonly behaviour: (setup: ActorOptions) => Actor<S, M, E, P>
  readonly ports: (sources: PortSources) => P
}

/** An actor of the node with its state and effects hidden: `M` is what its ref accepts, `P` its ports. */
interface ActorRow<M, P> extends Supervised {
  readonly place: (kernel: Kernel, setup: ActorOptions) => ActorPlace<M, P>
  readonly ports: (sources: PortSources) => P
}
