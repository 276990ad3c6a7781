import { type ServerResponse, STATUS_CODES } from 'node:http'
import { errorOf, httpStatusOf, isPassing, type Refusal, type RefusalTag, refuse } from '#protocol/refusal.js'
import { whenReady } from '#src/kernel/time/when-ready.js'
import type { Memo, PlainEntry } from '../answers/memo.js'
import { makeFresh, noHeaders, type Outcome, type WholeOutcome } from '../routing/handler.js'
import {
  acceptsGzip,
  compressBytes,
  heldBytesMax,
  isWorthGzip,
  type Outgoing,
  pieceBytes,
  streamsMax,
} from './outgoing.js'

/** The destination of an answer: `acceptEncoding` is the caller's header. */
export interface ReplyTarget {
  readonly res: ServerResponse
  readonly requestId: string
  readonly acceptEncoding: string | undefined
  readonly outgoing: Outgoing
  /** The answer leaves at once, and not behind the work of the turn. */
  readonly prompt?: boolean
  /** The listener is closing: the connection ends after this answer. */
  readonly last: boolean
}

/** The closed body of a refusal: `{error, detail, ...}` (A 7). */
export const refusalBody = (refusal: Refusal): Buffer => {
  const { _tag, detail, ...extra } = refusal
  return Buffer.from(JSON.stringify({ error: errorOf(_tag), detail, ...extra }))
}

/** Headers of every answer. */
export const baseHeaders = (reply: ReplyTarget): Array<string> => {
  const headers = [
    'X-Request-Id',
    reply.requestId,
    'Vary',
    'Accept-Encoding',
    'X-Content-Type-Options',
    'nosniff',
  ]
  if (reply.last) headers.push('Connection', 'close')
  return headers
}

/** Writes the end of a request. */
export const writeOutcome = (reply: ReplyTarget, memo: Memo, outcome: WholeOutcome): Promise<void> | void => {
  switch (outcome._tag) {
    case 'Refused':
      return writeRefusal(reply, outcome.refusal)
    case 'NotModified':
      return endReply(reply, 304, validatorHeaders(reply, outcome.etag, outcome.commit), null)
    case 'Cached':
      return writeCached(reply, memo, outcome)
    case 'Fresh':
      return writeFresh(reply, outcome)
    case 'Streamed':
      return writeStreamed(reply, outcome)
    case 'Gone':
      return undefined
  }
}

/** A complete answer as text, for a request that the parser rejected. */
export const parserAnswer = (tag: RefusalTag): string => {
  const detail =
    parserDetails[tag] ??
    'The request is not HTTP/1.1. Letters beyond ASCII in its path and query must be percent-encoded.'
  const body = JSON.stringify({ error: tag, detail })
  const status = httpStatusOf({ _tag: tag })
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `Content-Type: ${json}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}

/** What a caller sees of a fault: the request id to look for in the log, and no more. */
export const refuseInternal = (requestId: string): Refusal =>
  refuse('Internal', `The request failed on a fault of the daemon. Its log has the fault under ${requestId}.`)

/** The refusal of a request that this host has not answered within its time. */
export const refuseAnswerLate = (withinMs: number): Refusal =>
  refuse(
    'AnswerLate',
    `This host had no answer within ${Math.ceil(withinMs / 1000)} s. It may still carry out what the request would ` +
      'change: read that before you send it again. A request that only reads may ask for less.',
  )

const json = 'application/json; charset=utf-8'
const retryAfterSeconds = '1'

/** After how many seconds to try again; null where waiting alone never helps. */
const retryAfter = (refusal: Refusal): string | null => {
  if ('retryAfterSeconds' in refusal) return String(refusal.retryAfterSeconds)
  return isPassing(refusal._tag) ? retryAfterSeconds : null
}

/** Writes head and body. Does nothing if the client has left. */
const endReply = (reply: ReplyTarget, status: number, headers: Array<string>, bytes: Buffer | null): void => {
  const { res } = reply
  if (res.destroyed || res.headersSent) return
  if (bytes !== null) headers.push('Content-Type', json, 'Content-Length', String(bytes.length))
  res.writeHead(status, headers)
  reply.outgoing.send(res, bytes, reply.prompt === true)
}

const tooMuchHeld =
  `This host holds ${heldBytesMax / 1024 / 1024} MiB of large answers that clients have not read, its limit. ` +
  'Read the answers that you asked for, then try again.'

/**
 * Like `endReply`, for a request that had no effect: refuses it while too many bytes wait for slow clients.
 */
const endUnlessCrowded = (
  reply: ReplyTarget,
  status: number,
  headers: Array<string>,
  bytes: Buffer,
): void => {
  if (reply.outgoing.takes(bytes)) return endReply(reply, status, headers, bytes)
  writeRefusal(reply, refuse('Overloaded', tooMuchHeld))
}

const writeRefusal = (reply: ReplyTarget, refusal: Refusal): void => {
  const headers = baseHeaders(reply)
  headers.push('Cache-Control', 'no-store')
  const seconds = retryAfter(refusal)
  if (seconds !== null) headers.push('Retry-After', seconds)
  if (httpStatusOf(refusal) === 401) headers.push('WWW-Authenticate', 'Bearer')
  endReply(reply, httpStatusOf(refusal), headers, refusalBody(refusal))
}

/** The gzipped bytes of a cached answer, made once for all callers. */
const zipEntry = (memo: Memo, entry: PlainEntry, stamp: string, key: string): Buffer | Promise<Buffer> => {
  if (entry.gzip !== null) return entry.gzip
  const zipping = compressBytes(entry.plain).then(bytes => {
    entry.gzip = bytes
    memo.addBytes(stamp, key, bytes.length)
    return bytes
  })
  entry.gzip = zipping
  return zipping
}

const wantsGzip = (reply: ReplyTarget, bytes: Buffer): boolean =>
  isWorthGzip(bytes) && acceptsGzip(reply.acceptEncoding)

const validatorHeaders = (reply: ReplyTarget, etag: string, commit: string | null): Array<string> => {
  const headers = baseHeaders(reply)
  headers.push('ETag', etag, 'Cache-Control', 'private, no-cache')
  if (commit !== null) headers.push('X-Svc-Commit', commit)
  return headers
}

const writeCached = (
  reply: ReplyTarget,
  memo: Memo,
  outcome: Extract<Outcome, { _tag: 'Cached' }>,
): void | Promise<void> => {
  const { entry, key, commit } = outcome
  const headers = validatorHeaders(reply, entry.etag, commit)
  if (entry.plain !== null && !wantsGzip(reply, entry.plain))
    return endUnlessCrowded(reply, 200, headers, entry.plain)
  const zipped = entry.plain === null ? entry.gzip : zipEntry(memo, entry, key.stamp, key.key)
  headers.push('Content-Encoding', 'gzip')
  return whenReady(zipped, bytes => endUnlessCrowded(reply, 200, headers, bytes))
}

const writeFresh = (
  reply: ReplyTarget,
  outcome: Extract<Outcome, { _tag: 'Fresh' }>,
): void | Promise<void> => {
  const headers =
    outcome.etag === null ? baseHeaders(reply) : validatorHeaders(reply, outcome.etag, outcome.commit)
  if (outcome.etag === null) {
    headers.push('Cache-Control', 'no-store')
    if (outcome.commit !== null) headers.push('X-Svc-Commit', outcome.commit)
  }
  for (const [name, value] of Object.entries(outcome.headers)) headers.push(name, value)
  const { status, bytes, packed } = outcome
  const put = outcome.stands ? endReply : endUnlessCrowded
  if (!packed && !wantsGzip(reply, bytes)) return put(reply, status, headers, bytes)
  headers.push('Content-Encoding', 'gzip')
  return whenReady(packed ? bytes : compressBytes(bytes), zipped => put(reply, status, headers, zipped))
}

/** Sends a body in pieces as they are made. A body that ends within the first piece is sent like any other answer. */
const writeStreamed = async (
  reply: ReplyTarget,
  { pieces, status, commit }: Extract<Outcome, { _tag: 'Streamed' }>,
): Promise<void> => {
  const { res, outgoing } = reply
  if (!outgoing.takesStream()) return writeRefusal(reply, refuse('Overloaded', tooManyStreams))
  const all = pieces()[Symbol.asyncIterator]()
  const first: Array<Buffer> = []
  let firstBytes = 0
  while (firstBytes < pieceBytes) {
    const next = await all.next()
    if (next.done === true)
      return writeFresh(reply, makeFresh({ status, bytes: Buffer.concat(first), ...unnamed, commit }))
    first.push(next.value)
    firstBytes += next.value.length
  }
  if (res.destroyed || res.headersSent) {
    await all.return?.()
    return
  }
  const headers = [...baseHeaders(reply), 'Cache-Control', 'no-store', 'Content-Type', json]
  if (commit !== null) headers.push('X-Svc-Commit', commit)
  const isPacked = acceptsGzip(reply.acceptEncoding)
  if (isPacked) headers.push('Content-Encoding', 'gzip')
  res.writeHead(status, headers)
  await outgoing.stream(res, resume(first, all), isPacked)
}

const tooManyStreams =
  `This host sends ${streamsMax} answers that are made meanwhile, its limit. ` +
  'Try again when one of them has ended.'

const unnamed = { stands: false, headers: noHeaders } as const

/** The first pieces again, then the others. Ends the others where its reader stops early. */
const resume = async function* (
  first: ReadonlyArray<Buffer>,
  others: AsyncIterator<Buffer>,
): AsyncGenerator<Buffer> {
  try {
    yield* first
    for (let next = await others.next(); next.done !== true; next = await others.next()) yield next.value
  } finally {
    await others.return?.()
  }
}

const parserDetails: Readonly<Partial<Record<RefusalTag, string>>> = {
  HeadersTooLarge: 'The headers are too large.',
  RequestTimeout: 'The request did not arrive in time.',
  BodyTooLarge: 'The chunk extensions are too large.',
}
