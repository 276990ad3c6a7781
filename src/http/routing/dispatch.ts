import { isLeft, isRight, map, right } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms/commit.js'
import type { JobKind } from '#protocol/jobs/job.js'
import { SequenceText } from '#protocol/query.js'
import { type Refusal, refuse } from '#protocol/refusal.js'
import { namesCommit } from '#protocol/route.js'
import type { Caller, Reader } from '#src/domain/callers/caller.js'
import { tokenHash } from '#src/domain/identity/tokens/machine-token.js'
import type { JobRun } from '#src/ports/records/jobs.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { WriteRequest, Written } from '#src/writing/write-plan.js'
import { boundedBytesOf, bytesOf } from '../answers/answer-bytes.js'
import type { Entry, Memo } from '../answers/memo.js'
import { answerKey, etagOf, namesEtag, stampOf } from '../answers/validator.js'
import { originOf } from '../checks/origin.js'
import { tokenOf } from '../credentials/authenticate.js'
import { acceptsGzip } from '../listener/compress.js'
import type { Call } from './call.js'
import type { FrontDeps } from './deps.js'
import type { CallersPlan } from './handler.js'
import { type Outcome, refused } from './outcome.js'
import { admitsOf, planOf } from './planning.js'
import { type Made, pooled } from './pooled.js'

/** What dispatch needs beside the call. */
export interface Kept {
  readonly deps: FrontDeps
  readonly memo: Memo
}

/** Answers from what is kept, by 304, or by the handler. */
export const dispatch = (pipeline: Kept, call: Call): Outcome | Promise<Outcome> => {
  const { snapshot } = call
  const { row } = call.match.served
  if (!row.etag || snapshot === null) return plain(pipeline, call)
  return validated(pipeline, call, snapshot)
}

const plain = async (pipeline: Kept, call: Call): Promise<Outcome> =>
  (await made(pipeline, call, call.caller)).outcome

/** What an answer with a validator may know of its caller. */
const readerOf = (caller: Caller): Reader => ({
  grade: caller.grade,
  gracz: caller.grade === 'own' ? caller.gracz : null,
  view: caller.view,
})

const validated = (pipeline: Kept, call: Call, snapshot: Snapshot): Outcome | Promise<Outcome> => {
  const { memo, deps } = pipeline
  const reader = readerOf(call.caller)
  const stamp = stampOf(snapshot, deps.node.build)
  const key = answerKey(call.match.served.id, call.match.path, call.query.key, reader)
  const takesGzip = acceptsGzip(call.req.headers['accept-encoding'])
  const entry = memo.get(stamp, key) ?? (takesGzip ? memo.get(stamp, packedKey(key)) : undefined)
  const etag = entry?.etag ?? etagOf(stamp, key)
  const wanted = call.req.headers['if-none-match']
  // A handler refuses an own-only caller what is another's: before it has answered, nothing is compared.
  const isAdmitted = entry !== undefined || reader.grade !== 'own'
  if (isAdmitted && namesEtag(wanted, etag)) return { _tag: 'NotModified', etag, commit: snapshot.commit }
  if (entry !== undefined && wanted !== '*')
    return { _tag: 'Kept', entry, key: { stamp, key }, commit: snapshot.commit }
  return keptAnswer(pipeline, call, reader, snapshot, key)
}

/** Where packed bytes are kept: a caller that does not take them must not find them. */
const packedKey = (key: string): string => `${key}\ngzip`

/** A thread may have answered from a newer generation than the request's: its key and commit are the answer's. */
const keptAnswer = async (
  pipeline: Kept,
  call: Call,
  reader: Reader,
  snapshot: Snapshot,
  key: string,
): Promise<Outcome> => {
  const { outcome, from } = await made(pipeline, call, reader)
  if (outcome._tag !== 'Fresh' || outcome.status !== 200) return outcome
  const { commit } = from ?? snapshot
  const stamp = stampOf(from ?? snapshot, pipeline.deps.node.build)
  const etag = etagOf(stamp, key)
  const wanted = call.req.headers['if-none-match']
  if (wanted === '*' || namesEtag(wanted, etag)) return { _tag: 'NotModified', etag, commit }
  if (Object.keys(outcome.headers).length > 0) return { ...outcome, etag }
  const entry: Entry = outcome.packed
    ? { etag, plain: null, gzip: outcome.bytes }
    : { etag, plain: outcome.bytes, gzip: null }
  pipeline.memo.put(stamp, outcome.packed ? packedKey(key) : key, entry)
  return { _tag: 'Kept', entry, key: { stamp, key }, commit }
}

const noHeaders: Readonly<Record<string, string>> = {}

/** By a reader thread where the row is pooled and one can, else by the handler. */
const made = async ({ deps }: Kept, call: Call, caller: Caller | Reader): Promise<Made> => {
  const answered = deps.readers === null ? null : await pooled(deps, call, caller)
  return answered ?? { outcome: await handled(deps, call, caller), from: null }
}

/**
 * The commit that an answer names (D27). A row that committed by itself names the one that is served now: it has what
 * was committed. A job that was only begun has made nothing yet.
 */
const commitOf = (deps: FrontDeps, { match, snapshot }: Call, status: number): CommitId | null => {
  const { row } = match.served
  if (!namesCommit(row) || status === 202) return null
  return (row.poolReason === 'mutates' ? deps.snapshot() : snapshot)?.commit ?? null
}

const handled = async (deps: FrontDeps, call: Call, caller: Caller | Reader): Promise<Outcome> => {
  const { served } = call.match
  const result = await served.handler({
    path: call.match.path,
    query: call.query.values,
    body: call.body,
    caller,
    snapshot: call.snapshot,
    node: deps.node,
    gate: () => deps.gate(served.row, call.dryRun),
    admits: admitsOf(call, deps.snapshot),
    dryRun: call.dryRun,
    network: () => deps.clientNetwork(call.req),
    nowMs: deps.clock.nowMs(),
  })
  if (isLeft(result)) return refused(result.left, result.left._tag === 'Overloaded' ? 'shed' : null)
  if ('follow' in result.right) return followed(deps, call, result.right.follow.since)
  if ('plan' in result.right) {
    const { plan, job, settled } = result.right
    return job === undefined || call.dryRun
      ? written(deps, call, plan, settled)
      : writtenLater(deps, call, plan, job)
  }
  const status = result.right.status ?? served.ordinaryStatus
  const bytes = await boundedBytesOf(served, status, result.right)
  if (isLeft(bytes)) return refused(bytes.left)
  return {
    _tag: 'Fresh',
    status,
    bytes: bytes.right,
    packed: false,
    ...(served.row.poolReason === 'mutates' && !call.dryRun ? { stands: true } : {}),
    headers: result.right.headers ?? noHeaders,
    etag: null,
    commit: commitOf(deps, call, status),
  }
}

/** Whose streams are counted together: a person's by whatever token, else a token's; the machine's are not. */
const bearerOf = ({ caller, req }: Call): string | null =>
  caller.kind === 'machine'
    ? null
    : (caller.gameId ?? tokenHash(tokenOf(req.headers.authorization ?? null) ?? '').toString('hex'))

/** Where a stream begins: what the caller saw last goes before the parameter, which every reconnect repeats. */
const followed = (deps: FrontDeps, call: Call, since: number | null): Outcome => {
  const wish = {
    bearer: bearerOf(call),
    isAdmitted: () => isRight(call.again(deps.snapshot(), deps.clock.nowMs())),
  }
  const seen = call.req.headers['last-event-id']
  if (seen === undefined || seen === '') return { _tag: 'Follow', since, ...wish }
  const last = SequenceText.decode(seen)
  return isLeft(last)
    ? refused(refuse('RequestMalformed', '`Last-Event-ID` is the number of an event.'))
    : { _tag: 'Follow', since: last.right, ...wish }
}

const requestOf = (call: Call, plan: CallersPlan<unknown, Refusal>): WriteRequest<unknown> => {
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
const written = async (
  deps: FrontDeps,
  call: Call,
  plan: CallersPlan<unknown, Refusal>,
  settled?: (stands: boolean) => void,
): Promise<Outcome> => {
  const { served } = call.match
  const { dryRun } = call
  const outcome = await deps.write(requestOf(call, plan))
  settled?.(isRight(outcome))
  if (isLeft(outcome)) return refused(outcome.left, outcome.left._tag === 'Overloaded' ? 'shed' : null)
  const { body, commit } = outcome.right
  const status = outcome.right.status ?? (dryRun ? 200 : served.ordinaryStatus)
  const bytes = dryRun
    ? await boundedBytesOf(served, status, { body })
    : right(await bytesOf(served, status, { body }))
  if (isLeft(bytes)) return refused(bytes.left)
  return {
    _tag: 'Fresh',
    status,
    bytes: bytes.right,
    packed: false,
    ...(dryRun ? {} : { stands: true }),
    headers: noHeaders,
    etag: null,
    commit,
  }
}

/** Sends a plan through the gate in a job: the gate's arms were asked now, the plan is made when its turn comes. */
const writtenLater = async (
  deps: FrontDeps,
  call: Call,
  plan: CallersPlan<unknown, Refusal>,
  kind: JobKind,
): Promise<Outcome> => {
  const { served } = call.match
  const run: JobRun = async progress => {
    progress({ done: 0, total: 1, detail: 'plan and commit' })
    const outcome = await deps.write(requestOf(call, plan))
    if (isRight(outcome)) progress({ done: 1, total: 1, detail: 'done' })
    return map(({ status, body }: Written): unknown =>
      served.row.answers[status ?? served.ordinaryStatus]?.encode(body),
    )(outcome)
  }
  const started = await deps.node.jobs.start(kind, run)
  if (isLeft(started)) return refused(started.left, 'shed')
  const bytes = await bytesOf(served, 202, { body: started.right })
  return { _tag: 'Fresh', status: 202, bytes, packed: false, headers: noHeaders, etag: null, commit: null }
}
