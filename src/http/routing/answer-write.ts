import { isLeft, isRight, right } from 'fp-ts/lib/Either.js'
import type { Refusal } from '#protocol/refusal.js'
import type { WriteRequest } from '#src/writing/write-plan.js'
import { encodeAnswer, encodeBoundedAnswer } from '../answers/answer-bytes.js'
import { originOf } from '../checks/origin.js'
import type { Call } from './call.js'
import type { FrontDeps } from './deps.js'
import type { CallersPlan, Planned } from './handler.js'
import { makeFresh, noHeaders, type Outcome, refuseForNode, refuseRequest } from './outcome.js'
import { planOf } from './planning.js'

/** The plan of a call as the write gate takes it. */
export const writeRequestOf = (call: Call, plan: CallersPlan<unknown, Refusal>): WriteRequest<unknown> => {
  const { dryRun, requestId, hasCommit } = call
  const request = {
    ...originOf(call.match.served.row, call.caller),
    plan: planOf(call, plan),
    dryRun,
    requestId,
  }
  return hasCommit === null ? request : { ...request, hasCommit }
}

/** Sends a plan through the gate; the answer names the commit that holds it (D27). */
export const answerWrite = async (
  deps: FrontDeps,
  call: Call,
  { plan, settled }: Pick<Planned<unknown, Refusal>, 'plan' | 'settled'>,
): Promise<Outcome> => {
  const { served } = call.match
  const { dryRun } = call
  const outcome = await deps.write(writeRequestOf(call, plan))
  settled?.(isRight(outcome))
  if (isLeft(outcome)) return refuseForNode(outcome.left)
  const { body, commit } = outcome.right
  const status = outcome.right.status ?? (dryRun ? 200 : served.ordinaryStatus)
  const bytes = dryRun
    ? await encodeBoundedAnswer(served, status, { body })
    : right(await encodeAnswer(served, status, { body }))
  if (isLeft(bytes)) return refuseRequest(bytes.left)
  return makeFresh({ status, bytes: bytes.right, stands: !dryRun, headers: noHeaders, commit })
}
