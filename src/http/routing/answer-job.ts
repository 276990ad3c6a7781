import { isLeft } from 'fp-ts/lib/Either.js'
import type { JobKind } from '#protocol/jobs.js'
import { encodeAnswer } from '../answers/answer-bytes.js'
import type { Call } from './call.js'
import { commandOf } from './command-of.js'
import type { FrontDeps } from './deps.js'
import { makeFresh, noHeaders, type Outcome, refuseRequest } from './outcome.js'

/**
 * Starts a job that makes the write, and answers 202. The arms of the gate were checked; the plan is made in
 * its turn.
 */
export const answerJob = async (
  deps: FrontDeps,
  call: Call,
  prepared: unknown,
  kind: JobKind,
): Promise<Outcome> => {
  const started = await deps.node.jobs.start(kind, { _tag: 'Write', command: commandOf(call, prepared) })
  if (isLeft(started)) return refuseRequest(started.left, 'shed')
  const bytes = await encodeAnswer(call.work.run, call.match.served, 202, { body: started.right })
  return makeFresh({ status: 202, bytes, stands: false, headers: noHeaders, commit: null })
}
