import type { IncomingMessage } from 'node:http'
import type { Caller } from '#src/domain/callers/caller.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { HasCommit } from '#src/writing/write-plan.js'
import type { Query } from '../checks/query-text.js'
import type { Readmit } from '../listener/admission.js'
import type { Match } from './matcher.js'

/** A request that passed every check. */
export interface Call {
  readonly req: IncomingMessage
  readonly match: Match
  readonly caller: Caller
  readonly query: Query
  readonly body: unknown
  readonly snapshot: Snapshot | null
  readonly dryRun: boolean
  readonly requestId: string
  /** Asked where the answer comes later than the checks: a plan on another snapshot, a stream that goes on. */
  readonly readmit: Readmit
  /** Whether a snapshot has the commit that the caller wants; null where any will do. */
  readonly hasCommit: HasCommit | null
}
