import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { SequenceText } from '#protocol/query.js'
import { refuse } from '#protocol/refusal.js'
import { tokenHash } from '#src/domain/identity/tokens/machine-token.js'
import { tokenOf } from '../credentials/authenticate.js'
import type { Call } from './call.js'
import type { FrontDeps } from './deps.js'
import { type Outcome, refuseRequest } from './outcome.js'

/** Whose streams are counted together: a person's by whatever token, else a token's; the machine's are not. */
const bearerOf = ({ caller, req }: Call): string | null =>
  caller.kind === 'machine'
    ? null
    : (caller.gameId ?? tokenHash(tokenOf(req.headers.authorization ?? null) ?? '').toString('hex'))

/** Where a stream begins: what the caller saw last goes before the parameter, which every reconnect repeats. */
export const answerStream = (deps: FrontDeps, call: Call, since: number | null): Outcome => {
  const wish = {
    bearer: bearerOf(call),
    isAdmitted: () => isRight(call.readmit(deps.snapshot(), deps.clock.nowMs())),
  }
  const seen = call.req.headers['last-event-id']
  if (seen === undefined || seen === '') return { _tag: 'Follow', since, ...wish }
  const last = SequenceText.decode(seen)
  return isLeft(last)
    ? refuseRequest(refuse('RequestMalformed', '`Last-Event-ID` is the number of an event.'))
    : { _tag: 'Follow', since: last.right, ...wish }
}
