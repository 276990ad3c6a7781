import type { IncomingMessage } from 'node:http'
import { type Either, isLeft, left, right, tryCatch } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { bodyValuesMax } from '#protocol/bounds.js'
import { type BodyProblem, bodyInvalid, type RefusalOf, refuse } from '#protocol/refusal.js'
import { readJson } from '#src/domain/json/json-text.js'
import { joinProblems, problemsOf, unknownKeyProblems } from './report.js'

/** The largest accepted body in bytes (D24). */
export const bodyBytesMax = 1024 * 1024

type BodyRefusal = RefusalOf<'UnsupportedMediaType' | 'BodyTooLarge' | 'BodyInvalid'>

const refuseManyValues = (): RefusalOf<'BodyTooLarge'> =>
  refuse(
    'BodyTooLarge',
    `The body has more than ${bodyValuesMax} values, lists and records included. Send fewer.`,
  )

const json = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?$/i

/** Whether the request has a body: 415 applies only to bodies (D24). */
export const sendsBody = (req: IncomingMessage): boolean =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0

/** Refuses a body that is not plain JSON, before reading any of it. */
export const mediaRefusal = (req: IncomingMessage): RefusalOf<'UnsupportedMediaType'> | null => {
  const encoding = req.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    return refuse('UnsupportedMediaType', 'The body is compressed. Send it without Content-Encoding.')
  return json.test(req.headers['content-type'] ?? '')
    ? null
    : refuse(
        'UnsupportedMediaType',
        'The body is not JSON in UTF-8. Send it with `Content-Type: application/json`.',
      )
}

const refuseLargeBody = (): RefusalOf<'BodyTooLarge'> =>
  refuse(
    'BodyTooLarge',
    `The body is larger than ${bodyBytesMax} bytes, the most that a request may have. Send less.`,
  )

/**
 * Reads the bytes of a body; `gone` when the client left before the end. Bytes beyond the limit are discarded
 * on arrival.
 */
export const readBody = (req: IncomingMessage): Promise<Either<RefusalOf<'BodyTooLarge'> | 'gone', Buffer>> =>
  new Promise(resolve => {
    if (Number(req.headers['content-length'] ?? 0) > bodyBytesMax) {
      resolve(left(refuseLargeBody()))
      return
    }
    const chunks: Array<Buffer> = []
    let bytes = 0
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length
      if (bytes <= bodyBytesMax) chunks.push(chunk)
      else {
        chunks.length = 0
        resolve(left(refuseLargeBody()))
      }
    }
    req.on('data', onData)
    req.once('end', () => resolve(right(Buffer.concat(chunks))))
    req.once('error', () => resolve(left('gone')))
    req.once('close', () => resolve(left('gone')))
  })

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const refuseBody = (path: string, expected: string, detail: string): Either<BodyRefusal, never> =>
  left(bodyInvalid(detail, { path, expected }))

const textOf = (bytes: Buffer): Either<unknown, string> =>
  tryCatch(
    () => utf8.decode(bytes),
    error => error,
  )

/** The path of a problem as shown in a sentence: without the sign of the root. */
const placeOf = (path: string): string => path.slice(path.startsWith('$.') ? 2 : 0)

const decodeDetail = ({ path, expected }: BodyProblem): string => {
  const place = path === '$' ? 'The body' : `\`${placeOf(path)}\``
  return `${place} must be ${expected}.`
}

const unknownKeyDetail = ({ path, expected }: BodyProblem): string =>
  `The key \`${placeOf(path)}\` is unknown. Send ${expected} there.`

/**
 * Decodes a body with the codec of a row; no body counts as `{}` (D24). Refuses keys that the codec does not
 * know, unless the row ignores them (D52). A codec collects every problem that it finds, so a body of too
 * many values is refused before it is decoded.
 */
export const decodeBody = (
  { codec, unknownKeys }: { readonly codec: t.Mixed; readonly unknownKeys: 'refused' | 'ignored' },
  bytes: Buffer,
): Either<BodyRefusal, unknown> => {
  const text = bytes.length === 0 ? right('{}') : textOf(bytes)
  if (isLeft(text)) return refuseBody('$', 'UTF-8', 'The body is not UTF-8.')
  const value = readJson(text.right, bodyValuesMax)
  if (isLeft(value) && value.left.isExcess === true) return left(refuseManyValues())
  if (isLeft(value)) return refuseBody(value.left.path, 'JSON', `The body is not JSON: ${value.left.reason}.`)
  const decoded = codec.decode(value.right)
  const unknown = unknownKeys === 'ignored' ? [] : unknownKeyProblems(codec, value.right)
  if (!isLeft(decoded) && unknown.length === 0) return right(decoded.right)
  const wrong = isLeft(decoded) ? problemsOf(decoded.left) : []
  const [first = { path: '$', expected: 'another value' }, ...others] = joinProblems(wrong, unknown)
  return left(bodyInvalid(wrong.length > 0 ? decodeDetail(first) : unknownKeyDetail(first), first, others))
}
