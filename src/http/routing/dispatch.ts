import { isLeft, isRight, right } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms.js'
import type { JobKind } from '#protocol/host/jobs.js'
import { SequenceText } from '#protocol/query.js'
import { refuse } from '#protocol/refusal.js'
import { namesCommit, type Route } from '#protocol/route.js'
import type { Caller, Reader } from '#src/domain/callers/caller.js'
import { tokenHash } from '#src/domain/identity/credentials/tokens.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import {
  answerKey,
  encodeAnswer,
  encodeBoundedAnswer,
  etagOf,
  headsKey,
  isStreamed,
  namesEtag,
  stampOf,
} from '../answers/answer-bytes.js'
import type { MemoEntry } from '../answers/memo.js'
import { bearerTokenOf } from '../credentials/authenticate.js'
import { acceptsGzip } from '../listener/outgoing.js'
import { askReaders, indexKey, isPooled, type Made, storeKey } from './ask-readers.js'
import {
  type Call,
  claimedRightOf,
  commandOf,
  type FrontOptions,
  isClientThere,
  type Pipeline,
} from './call.js'
import {
  type Answer,
  type AnyAnswered,
  type Commanded,
  makeFresh,
  noHeaders,
  type Outcome,
  refuseForNode,
  refuseRequest,
} from './handler.js'
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

/** Answers a row with a validator: with 304, from the memo, or with `make`, whose answer the memo stores. */
const answerCached = (
  pipeline: Pipeline,
  call: Call,
  snapshot: Snapshot,
  make: MakeAnswer,
): Outcome | Promise<Outcome> => {
  const { memo, front } = pipeline
  const reader = readerOf(call.caller, call.match.served.row)
  const stamp = stampOf(snapshot, front.node.build)
  const { id, row } = call.match.served
  const indexes = indexKey(front, row) + storeKey(front, row)
  const key = answerKey(id, call.match.path, call.query.key, reader) + indexes + headsKey(snapshot, row)
  const takesGzip = acceptsGzip(call.req.headers['accept-encoding'])
  const entry = memo.get(stamp, key) ?? (takesGzip ? memo.get(stamp, gzipKey(key)) : undefined)
  const etag = entry?.etag ?? etagOf(stamp, key)
  const wanted = call.req.headers['if-none-match']
  // A handler refuses an own-only caller another person's data, so such a caller's validator is compared only
  // once an answer for its key is cached.
  const isAdmitted = entry !== undefined || reader.grade !== 'own'
  if (isAdmitted && namesEtag(wanted, etag)) return { _tag: 'NotModified', etag, commit: snapshot.commit }
  if (entry !== undefined && wanted !== '*')
    return { _tag: 'Cached', entry, key: { stamp, key }, commit: snapshot.commit }
  const made = make(front, call, reader)
  if (row.indexed !== true && row.stored !== true && row.reads === undefined)
    return cacheAnswer(pipeline, call, key, snapshot, made)
  // An index or a store that changed meanwhile may have answered, or a thread with other heads of trees, so the key no
  // longer says what the answer was made from.
  const isOfHeads = (from: Made['from']): boolean =>
    row.reads === undefined || (from ?? snapshot).generation === snapshot.generation
  return made.then(({ outcome, from }) =>
    indexKey(front, row) + storeKey(front, row) === indexes && isOfHeads(from)
      ? cacheAnswer(pipeline, call, key, snapshot, Promise.resolve({ outcome, from }))
      : outcome,
  )
}

/**
 * Starts a job that makes the write, and answers 202. The arms of the gate were checked; the plan is made in
 * its turn.
 */
const answerJob = async (
  front: FrontOptions,
  call: Call,
  prepared: unknown,
  kind: JobKind,
): Promise<Outcome> => {
  const started = await front.node.jobs.start(kind, { _tag: 'Write', command: commandOf(call, prepared) })
  if (isLeft(started)) return refuseRequest(started.left, 'shed')
  const bytes = await encodeAnswer(call.work.run, call.match.served, 202, { body: started.right })
  return makeFresh({ status: 202, bytes, stands: false, headers: noHeaders, commit: null })
}

/** Renders the answer of a handler; refuses one that is too large. */
const answerRead = async (
  front: FrontOptions,
  call: Call,
  answer: Answer<unknown>,
  run: RunWork,
): Promise<Outcome> => {
  const { served } = call.match
  const status = answer.status ?? served.ordinaryStatus
  if (isStreamed(answer.body))
    return { _tag: 'Streamed', status, pieces: answer.body.pieces, commit: commitOf(front, call, status) }
  const bytes = await encodeBoundedAnswer(run, served, status, answer)
  if (isLeft(bytes)) return refuseRequest(bytes.left)
  return makeFresh({
    status,
    bytes: bytes.right,
    stands: served.row.poolReason === 'mutates' && !call.dryRun,
    headers: answer.headers ?? noHeaders,
    isPassing: answer.isPassing === true,
    isUnkept: answer.isUnkept === true,
    commit: commitOf(front, call, status),
  })
}

/** Starts a stream. `Last-Event-ID` takes precedence over the parameter, which every reconnect repeats. */
const answerStream = (front: FrontOptions, call: Call, since: number | null): Outcome => {
  const asked = {
    bearer: bearerOf(call),
    isAdmitted: () => isRight(call.readmit(front.snapshot(), front.clock.nowMs())),
  }
  const seen = call.req.headers['last-event-id']
  if (seen === undefined || seen === '') return { _tag: 'Follow', since, ...asked }
  const last = SequenceText.decode(seen)
  return isLeft(last)
    ? refuseRequest(refuse('RequestMalformed', '`Last-Event-ID` must be the number of an event.'))
    : { _tag: 'Follow', since: last.right, ...asked }
}

/**
 * Sends a call to the gate as a command; the answer names the commit that contains it (D27). The gate drops the
 * write if the client closes its connection before the write is planned.
 */
const answerWrite = async (
  front: FrontOptions,
  call: Call,
  { prepared, settled }: Pick<Commanded, 'prepared' | 'settled'>,
): Promise<Outcome> => {
  const { served } = call.match
  const { dryRun } = call
  const outcome = await front.write(commandOf(call, prepared), () => isClientThere(call))
  settled?.(outcome)
  if (isLeft(outcome)) return isClientThere(call) ? refuseForNode(outcome.left) : { _tag: 'Gone' }
  const { body, commit } = outcome.right
  const status = outcome.right.status ?? (dryRun ? 200 : served.ordinaryStatus)
  const bytes = dryRun
    ? await encodeBoundedAnswer(call.work.run, served, status, { body })
    : right(await encodeAnswer(call.work.run, served, status, { body }))
  if (isLeft(bytes)) return refuseRequest(bytes.left)
  return makeFresh({ status, bytes: bytes.right, stands: !dryRun, headers: noHeaders, commit })
}

type MakeAnswer = (front: FrontOptions, call: Call, caller: Reader) => Promise<Made>

/** The part of the caller that an answer with a validator may depend on. */
const readerOf = ({ grade, gracz, view }: Caller, row: Route): Reader => {
  // Callers who differ only in what they may search, or in the findings that they may see, share the answers of
  // every other row.
  const { opens, ...shown } = row.indexed === true ? view : { ...view, logs: false, external: false }
  return {
    grade,
    gracz: grade === 'own' ? gracz : null,
    view: row.findings === true && opens !== undefined ? { ...shown, opens } : shown,
  }
}

/** The key of packed bytes: a caller that does not accept them must not get them. */
const gzipKey = (key: string): string => `${key}\ngzip`

/**
 * A thread may answer from a newer generation than the request's: then its answer determines key and commit.
 */
const cacheAnswer = async (
  { front, memo }: Pipeline,
  call: Call,
  key: string,
  snapshot: Snapshot,
  made: Promise<Made>,
): Promise<Outcome> => {
  const { outcome, from } = await made
  if (outcome._tag !== 'Fresh' || outcome.status !== 200 || outcome.isPassing) return outcome
  const { commit } = from ?? snapshot
  const stamp = stampOf(from ?? snapshot, front.node.build)
  // Another validator than a kept answer would have, so that the next request is not answered before the handler.
  const etag = etagOf(stamp, outcome.isUnkept ? `${key}\nunkept` : key)
  const wanted = call.req.headers['if-none-match']
  if (wanted === '*' || namesEtag(wanted, etag)) return { _tag: 'NotModified', etag, commit }
  if (outcome.isUnkept || Object.keys(outcome.headers).length > 0) return { ...outcome, etag }
  const entry: MemoEntry = outcome.packed
    ? { etag, plain: null, gzip: outcome.bytes }
    : { etag, plain: outcome.bytes, gzip: null }
  memo.put(stamp, outcome.packed ? gzipKey(key) : key, entry)
  return { _tag: 'Cached', entry, key: { stamp, key }, commit }
}

/**
 * The commit that an answer names (D27). A row that committed by itself names the commit that is served now,
 * which contains its own. A job that has only begun has no commit yet.
 */
const commitOf = (front: FrontOptions, { match, snapshot }: Call, status: number): CommitId | null => {
  const { row } = match.served
  if (!namesCommit(row) || status === 202) return null
  return (row.poolReason === 'mutates' ? front.snapshot() : snapshot)?.commit ?? null
}

/**
 * The key by which streams are limited: the person, whatever their token, otherwise the token; none for the
 * machine.
 */
const bearerOf = ({ caller, req }: Call): string | null =>
  caller.kind === 'machine'
    ? null
    : (caller.gameId ?? tokenHash(bearerTokenOf(req.headers.authorization ?? null) ?? '').toString('hex'))
