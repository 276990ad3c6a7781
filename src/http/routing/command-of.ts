import type { Asker, ClaimedRight, Command } from '#src/writing/command.js'
import { originOf } from '../checks/origin.js'
import { bearerTokenOf } from '../credentials/authenticate.js'
import type { Call } from './call.js'

const askerOf = ({ req }: Pick<Call, 'req'>): Asker => {
  const token = bearerTokenOf(req.headers.authorization ?? null)
  return token === null ? { _tag: 'Nobody' } : { _tag: 'Bearer', token }
}

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
