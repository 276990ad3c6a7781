import type { IncomingMessage } from 'node:http'
import { type Either, isLeft, left, right, tryCatch } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { bodyValuesMax } from '#protocol/bounds.js'
import { type BodyProblem, bodyInvalid, type RefusalOf, refuse } from '#protocol/refusal.js'
import type { LongList, Route } from '#protocol/route.js'
import { readJsonInSlices } from '#src/domain/json/json-text.js'
import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'
import { joinProblems, problemsMax, problemsOf, unknownKeyProblems } from './report.js'

/** The largest accepted body in bytes (D24). */
export const bodyBytesMax = 1024 * 1024

type BodyRefusal = RefusalOf<'UnsupportedMediaType' | 'BodyTooLarge' | 'BodyInvalid' | 'ValueRefused'>

const refuseManyValues = (): RefusalOf<'BodyTooLarge'> =>
  refuse(
    'BodyTooLarge',
    `The body has more than ${bodyValuesMax} values, lists and records included. Send fewer.`,
  )

const json = /^application\/json(?=[ \t]*(?:;|$))/i
const mediaParameter =
  /[ \t]*;[ \t]*(?:([\w!#$%&'*+.^`|~-]+)[ \t]{0,8}=[ \t]{0,8}("(?:[^"\\]|\\.)*"|[^\s;"]+))?/y
const utf8Name = /^"?utf-?8"?$/i

/** Whether a media type is JSON in UTF-8. Parameters other than `charset` do not matter (RFC 9110 8.3.1). */
const isJsonType = (header: string): boolean => {
  const type = header.trim()
  let at = json.exec(type)?.[0].length ?? -1
  while (at >= 0 && at < type.length) {
    mediaParameter.lastIndex = at
    const [parameter, name = '', value = ''] = mediaParameter.exec(type) ?? []
    if (parameter === undefined || (name.toLowerCase() === 'charset' && !utf8Name.test(value))) return false
    at += parameter.length
  }
  return at >= 0
}

/** Whether the request has a body: 415 applies only to bodies (D24). */
export const sendsBody = (req: IncomingMessage): boolean =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0

/** Refuses a body that is not plain JSON, before reading any of it. */
export const mediaRefusal = (req: IncomingMessage): RefusalOf<'UnsupportedMediaType'> | null => {
  const encoding = req.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    return refuse('UnsupportedMediaType', 'The body is compressed. Send it without Content-Encoding.')
  return isJsonType(req.headers['content-type'] ?? '')
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

const refuseReservedKey = (tag: 'ValueRefused', path: string): RefusalOf<'ValueRefused'> => {
  const field = path === '$' ? '__proto__' : `${placeOf(path)}.__proto__`
  return refuse(tag, `\`${field}\` cannot be written: its name is reserved.`, { field, candidates: [] })
}

/** What a row accepts as its body. */
export interface TakenBody {
  readonly codec: t.Mixed
  readonly unknownKeys: 'refused' | 'ignored'
  readonly longList?: LongList | undefined
  readonly reservedKey?: Route['reservedKey']
}

/** What decoding has found of a body: its value, or the problems of its values and its unknown keys. */
interface Decoded {
  readonly value: unknown
  readonly wrong: ReadonlyArray<BodyProblem>
  readonly unknown: ReadonlyArray<BodyProblem>
}

const decodeValue = (codec: t.Mixed, unknownKeys: TakenBody['unknownKeys'], value: unknown): Decoded => {
  const decoded = codec.decode(value)
  return {
    value: isLeft(decoded) ? undefined : decoded.right,
    wrong: isLeft(decoded) ? problemsOf(decoded.left) : [],
    unknown: unknownKeys === 'ignored' ? [] : unknownKeyProblems(codec, value),
  }
}

const toResult = ({ value, wrong, unknown }: Decoded): Either<BodyRefusal, unknown> => {
  if (wrong.length + unknown.length === 0) return right(value)
  const [first = { path: '$', expected: 'another value' }, ...others] = joinProblems(wrong, unknown)
  return left(bodyInvalid(wrong.length > 0 ? decodeDetail(first) : unknownKeyDetail(first), first, others))
}

/**
 * The problems of an item, with paths from the root of the body. The item itself is none where a part of it is:
 * of a union that says only that another member does not match.
 */
const problemsAt = (place: string, problems: ReadonlyArray<BodyProblem>): ReadonlyArray<BodyProblem> => {
  const inside = problems.filter(({ path }) => path !== '$')
  return (inside.length === 0 ? problems : inside).map(({ path, expected }) => ({
    path: `${place}${path.slice(1)}`,
    expected,
  }))
}

const decodeItems = function* (
  { field, item: codec }: LongList,
  unknownKeys: TakenBody['unknownKeys'],
  items: ReadonlyArray<unknown>,
): Sliced<Decoded> {
  const value: Array<unknown> = []
  const [wrong, unknown]: [Array<BodyProblem>, Array<BodyProblem>] = [[], []]
  for (const [at, item] of items.entries()) {
    const decoded = decodeValue(codec, unknownKeys, item)
    value.push(decoded.value)
    wrong.push(...problemsAt(`$.${field}[${at}]`, decoded.wrong))
    unknown.push(...problemsAt(`$.${field}[${at}]`, decoded.unknown))
    if (wrong.length + unknown.length >= problemsMax) break
    if (at % itemsPerTurn === itemsPerTurn - 1) yield
  }
  return { value, wrong, unknown }
}

/** Items of a long list that are decoded between two yields. */
const itemsPerTurn = 64

const refuseManyItems = ({ field, itemsMax }: LongList, count: number): Either<BodyRefusal, never> =>
  refuseBody(
    `$.${field}`,
    `at most ${itemsMax} items`,
    `\`${field}\` has ${count} items, more than ${itemsMax}. Send them in several requests.`,
  )

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Decodes the body without the long list, then its items one by one. */
const decodeWithList = function* (
  { codec, unknownKeys }: TakenBody,
  long: LongList,
  body: Readonly<Record<string, unknown>>,
  items: ReadonlyArray<unknown>,
): Sliced<Either<BodyRefusal, unknown>> {
  if (items.length > long.itemsMax) return refuseManyItems(long, items.length)
  const rest = decodeValue(codec, unknownKeys, { ...body, [long.field]: [] })
  if (rest.wrong.length + rest.unknown.length > 0) return toResult(rest)
  const list = yield* decodeItems(long, unknownKeys, items)
  return toResult({ ...list, value: { ...Object(rest.value), [long.field]: list.value } })
}

/**
 * Decodes a body with the codec of a row; no body counts as `{}` (D24). Refuses keys that the codec does not
 * know, unless the row ignores them (D52). A codec collects every problem that it finds, so a body of too
 * many values is refused before it is decoded. Yields while it parses, and between the items of a long list.
 */
export const decodeBodyInSlices = function* (
  taken: TakenBody,
  bytes: Buffer,
): Sliced<Either<BodyRefusal, unknown>> {
  const { codec, unknownKeys, longList, reservedKey } = taken
  const text = bytes.length === 0 ? right('{}') : textOf(bytes)
  if (isLeft(text)) return refuseBody('$', 'UTF-8', 'The body is not UTF-8.')
  yield
  const value = yield* readJsonInSlices(text.right, longList === undefined ? bodyValuesMax : undefined)
  if (isLeft(value) && value.left.isExcess === true) return left(refuseManyValues())
  if (isLeft(value) && value.left.isReserved === true && reservedKey !== undefined)
    return left(refuseReservedKey(reservedKey, value.left.path))
  if (isLeft(value)) return refuseBody(value.left.path, 'JSON', `The body is not JSON: ${value.left.reason}.`)
  yield
  const items = longList !== undefined && isRecord(value.right) ? value.right[longList.field] : undefined
  if (longList !== undefined && isRecord(value.right) && Array.isArray(items))
    return yield* decodeWithList(taken, longList, value.right, items)
  return toResult(decodeValue(codec, unknownKeys, value.right))
}

/** The refusal of a faulty body in the words of its row. */
export const bodyRefusalOf = (
  { bodyFault }: Pick<Route, 'bodyFault'>,
  refusal: BodyRefusal,
): BodyRefusal | RefusalOf<'bad_request'> => {
  if (bodyFault === undefined || refusal._tag !== 'BodyInvalid') return refusal
  return refuse(bodyFault, refusal.detail, { fault: refusal.path === '$' ? 'body' : placeOf(refusal.path) })
}

/** Runs `decodeBodyInSlices` to its end without yielding. */
export const decodeBody = (...args: Parameters<typeof decodeBodyInSlices>): Either<BodyRefusal, unknown> =>
  atOnce(decodeBodyInSlices(...args))
