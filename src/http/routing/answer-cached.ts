import type { Route } from '#protocol/route.js'
import type { Caller, Reader } from '#src/domain/callers/caller.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { MemoEntry } from '../answers/memo.js'
import { answerKey, etagOf, namesEtag, stampOf } from '../answers/validator.js'
import { acceptsGzip } from '../listener/compress.js'
import type { Made } from './ask-readers.js'
import type { Call } from './call.js'
import type { DispatchDeps, FrontDeps } from './deps.js'
import { indexKey } from './index-key.js'
import type { Outcome } from './outcome.js'

type MakeAnswer = (deps: FrontDeps, call: Call, caller: Reader) => Promise<Made>

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

/** Answers a row with a validator: with 304, from the memo, or with `make`, whose answer the memo stores. */
export const answerCached = (
  pipeline: DispatchDeps,
  call: Call,
  snapshot: Snapshot,
  make: MakeAnswer,
): Outcome | Promise<Outcome> => {
  const { memo, deps } = pipeline
  const reader = readerOf(call.caller, call.match.served.row)
  const stamp = stampOf(snapshot, deps.node.build)
  const { id, row } = call.match.served
  const indexes = indexKey(deps, row)
  const key = answerKey(id, call.match.path, call.query.key, reader) + indexes
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
  const made = make(deps, call, reader)
  if (row.indexed !== true) return cacheAnswer(pipeline, call, key, snapshot, made)
  // An index that changed meanwhile may have answered, so the key no longer says what the answer was made from.
  return made.then(({ outcome, from }) =>
    indexKey(deps, row) === indexes
      ? cacheAnswer(pipeline, call, key, snapshot, Promise.resolve({ outcome, from }))
      : outcome,
  )
}

/** The key of packed bytes: a caller that does not accept them must not get them. */
const gzipKey = (key: string): string => `${key}\ngzip`

/**
 * A thread may answer from a newer generation than the request's: then its answer determines key and commit.
 */
const cacheAnswer = async (
  { deps, memo }: DispatchDeps,
  call: Call,
  key: string,
  snapshot: Snapshot,
  made: Promise<Made>,
): Promise<Outcome> => {
  const { outcome, from } = await made
  if (outcome._tag !== 'Fresh' || outcome.status !== 200 || outcome.isPassing) return outcome
  const { commit } = from ?? snapshot
  const stamp = stampOf(from ?? snapshot, deps.node.build)
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
