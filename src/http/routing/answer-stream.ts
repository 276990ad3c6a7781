import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { SequenceText } from '#protocol/query.js'
import { refuse } from '#protocol/refusal.js'
import { tokenHash } from '#src/domain/identity/tokens.js'
import { bearerTokenOf } from '../credentials/authenticate.js'
import type { Call } from './call.js'
import type { FrontDeps } from './deps.js'
import { type Outcome, refuseRequest } from './outcome.js'

/**
 * The key by which streams are limited: the person, whatever their token, otherwise the token; none for the
 * machine.
 */
const bearerOf = ({ caller, req }: Call): string | null =>
  caller.kind === 'machine'
    ? null
    : (caller.gameId ?? tokenHash(bearerTokenOf(req.headers.authorization ?? null) ?? '').toString('hex'))

/** Starts a stream. `Last-Event-ID` takes precedence over the parameter, which every reconnect repeats. */
export const answerStream = (deps: FrontDeps, call: Call, since: number | null): Outcome => {
  const wish = {
    bearer: bearerOf(call),
    isAdmitted: () => isRight(call.readmit(deps.snapshot(), deps.clock.nowMs())),
  }
  const seen = call.req.headers['last-event-id']
  if (seen === undefined || seen === '') return { _tag: 'Follow', since, ...wish }
  const last = SequenceText.decode(seen)
  return isLeft(last)
    ? refuseRequest(refuse('RequestMalformed', '`Last-Event-ID` must be the number of an event.'))
    : { _tag: 'Follow', since: last.right, ...wish }
}
