import type { Caller, Reader } from '#src/domain/callers/caller.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { MemoEntry } from '../answers/memo.js'
import { answerKey, etagOf, namesEtag, stampOf } from '../answers/validator.js'
import { acceptsGzip } from '../listener/compress.js'
import type { Made } from './ask-readers.js'
import type { Call } from './call.js'
import type { DispatchDeps, FrontDeps } from './deps.js'
import type { Outcome } from './outcome.js'

/** Makes the answer of a call for a caller. */
type MakeAnswer = (deps: FrontDeps, call: Call, caller: Reader) => Promise<Made>

/** What an answer with a validator may know of its caller. */
const readerOf = (caller: Caller): Reader => ({
  grade: caller.grade,
  gracz: caller.grade === 'own' ? caller.gracz : null,
  view: caller.view,
})

/** Answers a row with a validator: by 304, from the memo, or by `make`, whose answer the memo keeps. */
export const answerCached = (
  pipeline: DispatchDeps,
  call: Call,
  snapshot: Snapshot,
  make: MakeAnswer,
): Outcome | Promise<Outcome> => {
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
    return { _tag: 'Cached', entry, key: { stamp, key }, commit: snapshot.commit }
  return cacheAnswer(pipeline, call, key, snapshot, make(deps, call, reader))
}

/** Where packed bytes are kept: a caller that does not take them must not find them. */
const packedKey = (key: string): string => `${key}\ngzip`

/** A thread may have answered from a newer generation than the request's: its key and commit are the answer's. */
const cacheAnswer = async (
  { deps, memo }: DispatchDeps,
  call: Call,
  key: string,
  snapshot: Snapshot,
  made: Promise<Made>,
): Promise<Outcome> => {
  const { outcome, from } = await made
  if (outcome._tag !== 'Fresh' || outcome.status !== 200) return outcome
  const { commit } = from ?? snapshot
  const stamp = stampOf(from ?? snapshot, deps.node.build)
  const etag = etagOf(stamp, key)
  const wanted = call.req.headers['if-none-match']
  if (wanted === '*' || namesEtag(wanted, etag)) return { _tag: 'NotModified', etag, commit }
  if (Object.keys(outcome.headers).length > 0) return { ...outcome, etag }
  const entry: MemoEntry = outcome.packed
    ? { etag, plain: null, gzip: outcome.bytes }
    : { etag, plain: outcome.bytes, gzip: null }
  memo.put(stamp, outcome.packed ? packedKey(key) : key, entry)
  return { _tag: 'Cached', entry, key: { stamp, key }, commit }
}
