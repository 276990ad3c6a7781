import { isLeft } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms.js'
import { namesCommit } from '#protocol/route.js'
import { encodeBoundedAnswer } from '../answers/answer-bytes.js'
import type { Call } from './call.js'
import type { FrontDeps } from './deps.js'
import type { Answer } from './handler.js'
import { makeFresh, noHeaders, type Outcome, refuseRequest } from './outcome.js'
import type { RunWork } from './read-admission.js'

/**
 * The commit that an answer names (D27). A row that committed by itself names the commit that is served now,
 * which contains its own. A job that has only begun has no commit yet.
 */
const commitOf = (deps: FrontDeps, { match, snapshot }: Call, status: number): CommitId | null => {
  const { row } = match.served
  if (!namesCommit(row) || status === 202) return null
  return (row.poolReason === 'mutates' ? deps.snapshot() : snapshot)?.commit ?? null
}

/** Renders the answer of a handler; refuses one that is too large. */
export const answerRead = async (
  deps: FrontDeps,
  call: Call,
  answer: Answer<unknown>,
  run: RunWork,
): Promise<Outcome> => {
  const { served } = call.match
  const status = answer.status ?? served.ordinaryStatus
  const bytes = await encodeBoundedAnswer(run, served, status, answer)
  if (isLeft(bytes)) return refuseRequest(bytes.left)
  return makeFresh({
    status,
    bytes: bytes.right,
    stands: served.row.poolReason === 'mutates' && !call.dryRun,
    headers: answer.headers ?? noHeaders,
    isPassing: answer.isPassing === true,
    isUnkept: answer.isUnkept === true,
    commit: commitOf(deps, call, status),
  })
}
