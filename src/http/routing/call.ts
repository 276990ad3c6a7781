import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CommitId } from '#protocol/atoms.js'
import type { Route, Table } from '#protocol/route.js'
import type { GateRefusal } from '#src/domain/admin/gate-arms.js'
import type { Caller } from '#src/domain/callers/caller.js'
import type { ConnectionLimits } from '#src/domain/limits/connections.js'
import type { Clock } from '#src/ports/clock.js'
import type { Host, ReadReference } from '#src/ports/host.js'
import type { AskReaders } from '#src/snapshot/readers/question.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Asker, ClaimedRight, Command, ContainsCommit, WritePort } from '#src/writing/command.js'
import type { Memo } from '../answers/memo.js'
import { originOf, type PublishedHosts } from '../checks/arrival.js'
import type { Query, TargetOf } from '../checks/query.js'
import type { Readmit } from '../credentials/admission.js'
import { bearerTokenOf, type Credentials } from '../credentials/authenticate.js'
import type { SignInLimit, WriteLimit } from '../credentials/caller-limits.js'
import type { ClientNetwork } from '../credentials/client-address.js'
import type { Patience } from '../listener/server.js'
import type { HttpLog, HttpMeter, RequestRecord } from '../records/meter.js'
import type { AnyHandlers } from './handler.js'
import type { Match } from './matcher.js'
import type { ReadPlaces, RequestWork } from './read-admission.js'

/** Checks the arms of the write gate, for rows with `write` (A 4.1.2, D28). Null: the write may pass. */
export type Gate = (row: Route, dryRun: boolean) => GateRefusal | null

/** What the front of a host is started with. */
export interface FrontOptions {
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
  readonly node: Host
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

/** What the steps of a request work with: the options of the front and what is derived from them once. */
export interface Pipeline {
  readonly front: FrontOptions
  readonly memo: Memo
  readonly targetOf: TargetOf
  readonly places: ReadPlaces
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
