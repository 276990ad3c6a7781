import type { IncomingMessage } from 'node:http'
import { type Either, isLeft, left, right, tryCatch } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import {
  type BodyBounds,
  type BoundId,
  bodyValuesMax,
  bounds,
  plainBody,
  type TextKind,
} from '#protocol/bounds.js'
import {
  type BodyProblem,
  bodyInvalid,
  type RefusalOf,
  refuse,
  refuseBoundExceeded,
} from '#protocol/refusal.js'
import { isBounded, type LongList, type Route } from '#protocol/route.js'
import { readJsonInSlices } from '#src/domain/json/json-text.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'
import { type Sliced } from '#src/domain/slicing/sliced.js'
import { tagName } from '#src/writing/entities/tags.js'
import { joinProblems, problemsMax, problemsOf, unknownKeyProblems } from './query.js'

/** The largest accepted body in bytes (D24). */
export const bodyBytesMax = 1024 * 1024

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

/** What a row accepts as its body. */
export interface TakenBody {
  readonly codec: t.Mixed
  readonly unknownKeys: 'refused' | 'ignored'
  readonly longList?: LongList | undefined
  readonly reservedKey?: Route['reservedKey']
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

/**
 * Refuses a decoded body that holds more than a request may (D64). Null when it does not, and for every row
 * that is not a write. Checked before anything is planned, so that a body refused here costs no more than
 * reading it.
 */
export const excessRefusal = (row: Route, body: unknown): Refused | null => {
  if (!isBounded(row) || !isFields(body)) return null
  const declared = row.bounds ?? plainBody
  const values = declared.counts === 'values' ? countValues(body) : 0
  if (values > bounds.requestValues.limit)
    return refuseBoundExceeded('requestValues', values, null, 'Send them in several requests.')
  for (const [field, value] of Object.entries(body)) {
    const found =
      field === 'tags' && isFields(value)
        ? findLongTag(value)
        : findLongText(value, kindOfField(body, field, declared), field)
    if (found !== null) return found
  }
  return null
}

/** Whether an `Accept` header names the media type literally; a range with a wildcard does not count. */
export const namesMedia = (accept: string | undefined, media: string): boolean =>
  (accept ?? '').split(',').some(range => {
    const [type = '', ...parameters] = range.split(';')
    return type.trim().toLowerCase() === media && !isRefusedRange(parameters)
  })

export type BodyRefusal = RefusalOf<'UnsupportedMediaType' | 'BodyTooLarge' | 'BodyInvalid' | 'ValueRefused'>

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

const refuseLargeBody = (): RefusalOf<'BodyTooLarge'> =>
  refuse(
    'BodyTooLarge',
    `The body is larger than ${bodyBytesMax} bytes, the most that a request may have. Send less.`,
  )

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

type Refused = RefusalOf<'BoundExceeded'>

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

const partsOf = (value: unknown): ReadonlyArray<unknown> | null => {
  if (isList(value)) return value
  return isFields(value) ? Object.values(value) : null
}

/**
 * Counts the texts, numbers and empty lists inside a value; a value that is not a list or a record counts
 * one.
 */
const countLeaves = (value: unknown): number => {
  const parts = partsOf(value)
  if (parts === null || parts.length === 0) return 1
  return parts.reduce<number>((sum, part) => sum + countLeaves(part), 0)
}

/** Counts the values inside the lists and records of a body. The fields at the top are limited by the row. */
const countValues = (body: Fields): number =>
  Object.values(body).reduce<number>(
    (sum, field) => sum + (partsOf(field) === null ? 0 : countLeaves(field)),
    0,
  )

/**
 * The most bytes in UTF-8 for one unit of a text's length, so that a short text need not be encoded to be
 * measured.
 */
const bytesPerUnit = 3

const lengthOf: Readonly<
  Record<TextKind, (text: string) => readonly [bound: BoundId, actual: number] | null>
> = {
  name: text => ['nameChars', text.length],
  value: text =>
    text.length * bytesPerUnit <= bounds.valueBytes.limit ? null : ['valueBytes', Buffer.byteLength(text)],
  prose: () => null,
  lookup: () => null,
}

const mends = {
  nameChars: 'Choose a shorter name.',
  valueBytes: 'Shorten it, or split it into several values.',
} as const

const lengthRefusal = (text: string, kind: TextKind, field: string): Refused | null => {
  const measured = lengthOf[kind](text)
  if (measured === null || measured[1] <= bounds[measured[0]].limit) return null
  const [bound, actual] = measured
  return refuseBoundExceeded(bound, actual, field, bound === 'nameChars' ? mends.nameChars : mends.valueBytes)
}

/** The kind of value that a tag holds. The tag's spelling is normalized before the look-up. */
const kindOfTag = (tag: string): TextKind => (nameTags.has(tagName(tag)) ? 'name' : 'value')

/**
 * The kind of a field of a record. `{tag, value}` is a row: its tag determines the kind of the value; a value
 * to be removed is only a look-up.
 */
const kindIn = (record: Fields, field: string, kind: TextKind): TextKind => {
  if (field !== 'value' || typeof record['tag'] !== 'string') return kind
  return record['remove'] === true ? 'lookup' : kindOfTag(record['tag'])
}

const findLongText = (value: unknown, kind: TextKind, field: string): Refused | null => {
  if (typeof value === 'string') return lengthRefusal(value, kind, field)
  if (isList(value)) {
    for (const [at, part] of value.entries()) {
      const found = findLongText(part, kind, `${field}[${at}]`)
      if (found !== null) return found
    }
    return null
  }
  if (!isFields(value)) return null
  for (const [name, part] of Object.entries(value)) {
    const found = findLongText(part, kindIn(value, name, kind), `${field}.${name.slice(0, 80)}`)
    if (found !== null) return found
  }
  return null
}

const kindOfField = (body: Fields, field: string, { texts }: BodyBounds): TextKind =>
  kindIn(body, field, (Object.hasOwn(texts, field) ? texts[field] : undefined) ?? 'value')

const findLongTag = (tags: Fields): Refused | null => {
  for (const [tag, values] of Object.entries(tags)) {
    const found = findLongText(values, kindOfTag(tag), `tags.${tag.slice(0, 80)}`)
    if (found !== null) return found
  }
  return null
}

/** Whether the parameters of a media range reject it: a quality of 0. */
const isRefusedRange = (parameters: ReadonlyArray<string>): boolean =>
  parameters.some(parameter => {
    const [name = '', value = ''] = parameter.split('=')
    return name.trim().toLowerCase() === 'q' && Number(value) === 0
  })
