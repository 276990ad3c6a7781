import type { Either } from 'fp-ts/lib/Either.js'
import type { LookOutcome } from '#actors/corpus-keeper/corpus-keeper.js'
import type { Loaded } from '#actors/corpus-keeper/load.js'
import type { ModeCell } from '#actors/write-gate/mode.js'
import type { Config } from '#protocol/config.js'
import type { Prometheus } from '#src/adapters/metrics/prometheus.js'
import type { ServeOptions } from '#src/cli/options.js'
import type { GateState } from '#src/domain/admin/gate-arms.js'
import type { IsVerified } from '#src/domain/audit/verified-commits.js'
import type { AskFailure } from '#src/kernel/actor/ref.js'
import type { WorkloadRunners } from '#src/ports/host.js'
import type { Cell } from '#src/snapshot/cell.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { NodeDelivery } from '../chat/node-delivery.js'
import type { NodeDispatch } from '../chat/node-dispatch.js'
import type { NodeNotices } from '../chat/node-notices.js'
import type { NodeDerived } from '../fleet/derived/node-derived.js'
import type { NodeMonitor } from '../fleet/node-monitor.js'
import type { NodePeers } from '../fleet/node-peers.js'
import type { NodeTakeovers } from '../fleet/node-takeovers.js'
import type { FleetWatch } from '../fleet/role/fleet-watch.js'
import type { RoleMode } from '../fleet/role/follow-role.js'
import type { BlockWatch } from '../gate/block-watch.js'
import type { Followers } from '../gate/followers.js'
import type { CallerLimiter } from '../gate/limit-callers.js'
import type { HostTokens } from '../identity/host-tokens.js'
import type { Secrets } from '../identity/keys/secrets.js'
import type { RefusalTeller } from '../identity/tell-refusals.js'
import type { Readers } from '../readers/readers.js'
import type { Log } from '../records/log.js'
import type { Records } from '../records/records.js'
import type { NodeSearch } from '../search/node-search.js'
import type { HostSearch } from '../search/texts/host-search.js'
import type { Checkout } from '../start/checkout.js'
import type { Environment } from '../start/environment.js'
import type { HostSync } from '../sync/host-sync.js'
import type { Doors } from './doors.js'

/** The parts of one node, before it runs. */
export interface NodeParts {
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
  readonly takeovers: NodeTakeovers
  readonly dispatch: NodeDispatch
  /** The messages of this host to the chat platform. */
  readonly delivery: NodeDelivery
  /** What this host tells the chat by itself. */
  readonly notices: NodeNotices
  /** What runs the workloads that the fleet owns. */
  readonly runners: WorkloadRunners
  /** The part of this host in its fleet. */
  readonly fleet: FleetWatch
  /** The mode, as it follows the role of this host. */
  readonly roleMode: RoleMode
  /** Limits what each caller has in the gate and under way. */
  readonly callers: CallerLimiter
  /** The followers of the gate's jobs. */
  readonly followers: Followers
  /** The actors, placed and not running. */
  readonly tree: { readonly doors: Doors }
  /** The watchers of the other towns. */
  readonly peers: NodePeers
  /** The view of the outside monitor. */
  readonly monitor: NodeMonitor
  /** The derived artifacts of this host. */
  readonly derived: NodeDerived
  readonly readers: Readers
  readonly search: NodeSearch
  /** The texts that search reads. */
  readonly texts: HostSearch
  /** Whether the trailers of a commit are authentic. */
  readonly isVerified: IsVerified
  /** Looks at HEAD now; the answer is from a look that began after the call. Default deadline: a minute. */
  readonly look: (deadlineMs?: number) => Promise<Either<AskFailure, LookOutcome>>
}
