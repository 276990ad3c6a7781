import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CommitId } from '#protocol/atoms.js'
import type { Caller } from '#src/domain/callers/caller.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Query } from '../checks/query-text.js'
import type { Readmit } from '../listener/admission.js'
import type { Match } from './matcher.js'
import type { RequestWork } from './read-admission.js'

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
