import { isLeft } from 'fp-ts/lib/Either.js'
import type { Caller, Reader } from '#src/domain/callers/caller.js'
import { answerCached, answerJob, answerRead, answerStream, answerWrite } from './answers.js'
import { askReaders, isPooled, type Made } from './ask-readers.js'
import { type Call, claimedRightOf, type FrontOptions, isClientThere, type Pipeline } from './call.js'
import { type AnyAnswered, type Outcome, refuseForNode } from './handler.js'
import { type RunWork, WorkMoved } from './read-admission.js'

/**
 * Answers a call: from the memo where its row has a validator, otherwise by a reader thread or the handler. A call
 * that was refused as late before its turn came here is not carried out.
 */
export const dispatchCall = (pipeline: Pipeline, call: Call): Outcome | Promise<Outcome> => {
  const { snapshot, res } = call
  if (res.headersSent) return { _tag: 'Gone' }
  return call.match.served.row.etag && snapshot !== null
    ? answerCached(pipeline, call, snapshot, makeAnswer)
    : answerUncached(pipeline, call)
}

const answerUncached = async ({ front }: Pipeline, call: Call): Promise<Outcome> =>
  (await makeAnswer(front, call, call.caller)).outcome

/** Makes an answer here or on a reader thread. A search waits for its indexes, so it is always a long read. */
const makeAnswer = async (front: FrontOptions, call: Call, caller: Caller | Reader): Promise<Made> => {
  if (call.match.served.row.indexed === true) await call.work.hold()
  return front.readers !== null && isPooled(call)
    ? answerPooled(front, call, caller)
    : answerHere(front, call, caller, call.work.run)
}

const answerHere = async (
  front: FrontOptions,
  call: Call,
  caller: Caller | Reader,
  run: RunWork,
): Promise<Made> => {
  const answered = await askHandler(front, call, caller, run)
  return { outcome: await answerHandled(front, call, answered, run), from: null }
}

/**
 * Asks an idle reader thread where the caller has a place for the question. Otherwise answers here what is ready
 * after one turn, and leaves a longer read to the threads once it has a place.
 */
const answerPooled = async (front: FrontOptions, call: Call, caller: Caller | Reader): Promise<Made> => {
  const { work, match } = call
  const made = work.tryHold() ? await askReaders(front, call, caller, true) : null
  if (made !== null) return made
  if (match.served.row.indexed !== true) work.release()
  try {
    return await answerHere(front, call, caller, work.runFirstTurn)
  } catch (error) {
    if (!(error instanceof WorkMoved)) throw error
    return (await askReaders(front, call, caller, false)) ?? answerHere(front, call, caller, work.run)
  }
}

const askHandler = (
  front: FrontOptions,
  call: Call,
  caller: Caller | Reader,
  run: RunWork,
): AnyAnswered | Promise<AnyAnswered> => {
  const { served, path } = call.match
  return served.handler({
    path,
    query: call.query.values,
    body: call.body,
    caller,
    snapshot: call.snapshot,
    node: front.node,
    gate: () => front.gate(served.row, call.dryRun),
    claimed: () => claimedRightOf(call),
    isCallerThere: () => isClientThere(call),
    run,
    dryRun: call.dryRun,
    network: () => front.clientNetwork(call.req),
    person: () => call.caller.gracz,
    nowMs: front.clock.nowMs(),
  })
}

/** Turns the result of a handler into the outcome: a refusal, a stream, a write, a job, or a read. */
const answerHandled = (
  front: FrontOptions,
  call: Call,
  answered: AnyAnswered,
  run: RunWork,
): Outcome | Promise<Outcome> => {
  if (isLeft(answered)) return isClientThere(call) ? refuseForNode(answered.left) : { _tag: 'Gone' }
  const said = answered.right
  if ('elsewhere' in said) throw new Error(`${call.match.served.id} gives no answer on the main thread`)
  if ('follow' in said) return answerStream(front, call, said.follow.since)
  if (!('prepared' in said)) return answerRead(front, call, said, run)
  return said.job === undefined || call.dryRun
    ? answerWrite(front, call, said)
    : answerJob(front, call, said.prepared, said.job)
}
