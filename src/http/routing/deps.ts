import type { Route, Table } from '#protocol/route.js'
import type { GateRefusal } from '#src/domain/admin/gate-arms.js'
import type { ConnectionLimits } from '#src/domain/limits/connections.js'
import type { Clock } from '#src/ports/clock.js'
import type { ReadReference } from '#src/ports/host.js'
import type { AskReaders } from '#src/snapshot/readers/question.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { ContainsCommit, WritePort } from '#src/writing/command.js'
import type { Memo } from '../answers/memo.js'
import type { PublishedHosts } from '../checks/arrival.js'
import type { Credentials } from '../credentials/authenticate.js'
import type { SignInLimit, WriteLimit } from '../credentials/caller-limits.js'
import type { ClientNetwork } from '../credentials/client-network.js'
import type { Patience } from '../listener/server.js'
import type { HttpLog, HttpMeter, RequestRecord } from '../records/meter.js'
import type { AnyHandlers } from './handler.js'
import type { NodeView } from './node-view.js'

/** Checks the arms of the write gate, for rows with `write` (A 4.1.2, D28). Null: the write may pass. */
export type Gate = (row: Route, dryRun: boolean) => GateRefusal | null

/** Everything that the front depends on. */
export interface FrontDeps {
  /** The most connections at once; if absent, the system's limit. */
  readonly connections?: ConnectionLimits
  /** `patience` of the listener when absent. */
  readonly patience?: Patience
  readonly table: Table
  readonly handlers: AnyHandlers
  /** The current snapshot; null before the first (D1). */
  readonly snapshot: () => Snapshot | null
  /** Looks at HEAD before each request (D14 with an interval of 0); null where a timer does it. */
  readonly freshen: (() => Promise<void>) | null
  /** Whether a snapshot has a commit: it is the snapshot's own or an ancestor of it. */
  readonly containsCommit: ContainsCommit
  readonly credentials: Credentials
  readonly gate: Gate
  /** Checked for rows with `limited`, before their body is read. */
  readonly signInLimit: SignInLimit
  /** Checked for the own writes of a player, and for rows with `byChat`. */
  readonly writeLimit: WriteLimit
  readonly clientNetwork: ClientNetwork
  /** Receives the commands that passed the gate's arms. */
  readonly write: WritePort
  /** Answers pooled rows; null: the main thread answers them too. */
  readonly readers: AskReaders | null
  readonly node: NodeView
  readonly clock: Clock
  readonly meter: HttpMeter
  readonly log: HttpLog
  /** Called at the end of every request, for the request stream. */
  readonly recordRequest: (record: RequestRecord) => void
  readonly published: PublishedHosts
  /** The text of `/metrics` in the exposition format 0.0.4. */
  readonly metricsText: () => Promise<string>
  /** Reads a page of the reference for the operations listener. */
  readonly readReference: ReadReference
  /** The most bytes of cached answers. */
  readonly memoBytesMax: number
}

/** What the steps that answer a call need. */
export interface DispatchDeps {
  readonly deps: FrontDeps
  readonly memo: Memo
}

export const memoBytesMax = 64 * 1024 * 1024
