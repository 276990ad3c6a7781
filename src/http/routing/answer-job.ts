import { isLeft, isRight, map } from 'fp-ts/lib/Either.js'
import type { JobKind } from '#protocol/jobs/job.js'
import type { JobRun } from '#src/ports/records/jobs.js'
import type { Written } from '#src/writing/command.js'
import { encodeAnswer } from '../answers/answer-bytes.js'
import type { Call } from './call.js'
import { commandOf } from './command-of.js'
import type { FrontDeps } from './deps.js'
import { makeFresh, noHeaders, type Outcome, refuseRequest } from './outcome.js'

/** The work of a job that makes a write. Returns the body that the write would have had. */
const writeInJob =
  (deps: FrontDeps, call: Call, prepared: unknown): JobRun =>
  async progress => {
    const { row, ordinaryStatus } = call.match.served
    progress({ done: 0, total: 1, detail: 'plan and commit' })
    const outcome = await deps.write(commandOf(call, prepared))
    if (isRight(outcome)) progress({ done: 1, total: 1, detail: 'done' })
    return map(({ status, body }: Written): unknown => row.answers[status ?? ordinaryStatus]?.encode(body))(
      outcome,
    )
  }

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
  const started = await deps.node.jobs.start(kind, writeInJob(deps, call, prepared))
  if (isLeft(started)) return refuseRequest(started.left, 'shed')
  const bytes = await encodeAnswer(call.match.served, 202, { body: started.right })
  return makeFresh({ status: 202, bytes, stands: false, headers: noHeaders, commit: null })
}
