import { isLeft, isRight, right } from 'fp-ts/lib/Either.js'
import { encodeAnswer, encodeBoundedAnswer } from '../answers/answer-bytes.js'
import { type Call, isClientThere } from './call.js'
import { commandOf } from './command-of.js'
import type { FrontDeps } from './deps.js'
import type { Commanded } from './handler.js'
import { makeFresh, noHeaders, type Outcome, refuseForNode, refuseRequest } from './outcome.js'

/**
 * Sends a call to the gate as a command; the answer names the commit that contains it (D27). The gate drops the
 * write if the client closes its connection before the write is planned.
 */
export const answerWrite = async (
  deps: FrontDeps,
  call: Call,
  { prepared, settled }: Pick<Commanded, 'prepared' | 'settled'>,
): Promise<Outcome> => {
  const { served } = call.match
  const { dryRun } = call
  const outcome = await deps.write(commandOf(call, prepared), () => isClientThere(call))
  settled?.(isRight(outcome))
  if (isLeft(outcome)) return isClientThere(call) ? refuseForNode(outcome.left) : { _tag: 'Gone' }
  const { body, commit } = outcome.right
  const status = outcome.right.status ?? (dryRun ? 200 : served.ordinaryStatus)
  const bytes = dryRun
    ? await encodeBoundedAnswer(call.work.run, served, status, { body })
    : right(await encodeAnswer(call.work.run, served, status, { body }))
  if (isLeft(bytes)) return refuseRequest(bytes.left)
  return makeFresh({ status, bytes: bytes.right, stands: !dryRun, headers: noHeaders, commit })
}
