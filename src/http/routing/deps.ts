import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CommitId } from '#protocol/atoms.js'
import type { Route, Table } from '#protocol/route.js'
import type { GateRefusal } from '#src/domain/admin/gate-arms.js'
import type { Caller } from '#src/domain/callers/caller.js'
import type { ConnectionLimits } from '#src/domain/limits/connections.js'
import type { Clock } from '#src/ports/clock.js'
import type { ReadReference } from '#src/ports/host.js'
import type { AskReaders } from '#src/snapshot/readers/question.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Asker, ClaimedRight, Command, ContainsCommit, WritePort } from '#src/writing/command.js'
import type { Memo } from '../answers/memo.js'
import { originOf, type PublishedHosts } from '../checks/arrival.js'
import type { Query } from '../checks/query.js'
import { bearerTokenOf, type Credentials } from '../credentials/authenticate.js'
import type { SignInLimit, WriteLimit } from '../credentials/caller-limits.js'
import type { ClientNetwork } from '../credentials/client-address.js'
import type { AdminDeps, JobsDeps } from '../handlers/admin.js'
import type { HistoryDeps } from '../handlers/audit.js'
import type { DeliveryDeps, InteractionDeps } from '../handlers/chat.js'
import type { DiscoveryDeps } from '../handlers/discovery.js'
import type { EventsDeps } from '../handlers/events.js'
import type { DerivedDeps, FleetDeps, MonitorDeps, PeersDeps, TakeoverDeps } from '../handlers/fleet.js'
import type { IdentityDeps } from '../handlers/identity/identity.js'
import type { NamesDeps } from '../handlers/names.js'
import type { PlayersDeps } from '../handlers/people.js'
import type { LintDeps, MapsDeps, ReindexDeps } from '../handlers/places.js'
import type { SearchDeps, SearchIndexDeps } from '../handlers/search.js'
import type { SyncDeps } from '../handlers/sync.js'
import type { Readmit } from '../listener/admission.js'
import type { Patience } from '../listener/server.js'
import type { HttpLog, HttpMeter, RequestRecord } from '../records/meter.js'
import type { AnyHandlers } from './handler.js'
import type { Match } from './matcher.js'
import type { RequestWork } from './read-admission.js'

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

export interface Call {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly match: Match
  readonly caller: Caller
  readonly query: Query
  readonly body: unknown
  readonly snapshot: Snapshot | null
  readonly dryRun: boolean
  /** Checks the right again, for an answer that continues after the checks: a stream. */
  readonly readmit: Readmit
  readonly work: RequestWork
  /** The commit that the caller asks for; null where any snapshot will do. */
  readonly wants: CommitId | null
}

/** Whether the client still waits: it holds its connection, and has no answer yet. */
export const isClientThere = ({ req, res }: Pick<Call, 'req' | 'res'>): boolean =>
  !req.socket.destroyed && !res.headersSent

/** What the front itself needs of the node, beside the handlers. */
export interface FrontNode extends Pick<EventsDeps, 'events'>, Pick<AdminDeps, 'jobs'> {
  /** Identifies this build, also among builds of the same version. */
  readonly build: string
  readonly bootId: string
  /** Whether the repository was moved, removed or replaced. */
  readonly isGone: () => boolean
  /** Why HEAD cannot be loaded; null where it can (D63). */
  readonly staleReason: () => string | null
}

/**
 * What the node provides to the front and the handlers beside the snapshot; each group of handlers declares
 * its part. Functions return the value at the time of the call.
 */
export type NodeView = FrontNode &
  DiscoveryDeps &
  SyncDeps &
  DeliveryDeps &
  TakeoverDeps &
  InteractionDeps &
  MonitorDeps &
  DerivedDeps &
  PeersDeps &
  FleetDeps &
  AdminDeps &
  JobsDeps &
  EventsDeps &
  HistoryDeps &
  IdentityDeps &
  PlayersDeps &
  LintDeps &
  NamesDeps &
  SearchDeps &
  SearchIndexDeps &
  ReindexDeps &
  MapsDeps

/** The right that admitted a call, for work that waits in the gate. */
export const claimedRightOf = (call: Call): ClaimedRight => ({
  row: call.match.served.id,
  asker: askerOf(call),
  grade: call.caller.grade,
})

/** The command of a call; `prepared` is the result of the row's handler, null for most rows. */
export const commandOf = (call: Call, prepared: unknown): Command => ({
  ...originOf(call.match.served.row, call.caller),
  ...claimedRightOf(call),
  path: call.match.path,
  query: call.query.values,
  body: call.body,
  prepared,
  dryRun: call.dryRun,
  wants: call.wants,
})

const askerOf = ({ req }: Pick<Call, 'req'>): Asker => {
  const token = bearerTokenOf(req.headers.authorization ?? null)
  return token === null ? { _tag: 'Nobody' } : { _tag: 'Bearer', token }
}
