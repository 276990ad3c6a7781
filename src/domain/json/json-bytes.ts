import { applyWindow, type Window, type Windowed } from '#protocol/list.js'
import { mapInSlices, type Sliced, units } from '#src/domain/slicing/sliced.js'

/** A piece of JSON: a text, or its UTF-8 when that exists already. */
export type JsonPiece = string | Buffer

/** A part of a value that is already rendered as JSON, in pieces. */
export interface RenderedJson {
  readonly [rendered]: ReadonlyArray<JsonPiece>
}

/**
 * Marks pieces that together are one JSON value; they are not checked. The functions of this file write them
 * unchanged wherever the marker is in a value, except inside an object with `toJSON`. `JSON.stringify` loses
 * them: it writes the marker as `{}`.
 */
export const wrapRenderedJson = (pieces: ReadonlyArray<JsonPiece>): RenderedJson => ({ [rendered]: pieces })

/**
 * Renders a value as JSON, as `JSON.stringify` does, in one UTF-8 buffer. Returns null when it exceeds
 * `bytesMax` bytes, and then the rest is not rendered. Yields about every 128 KiB. The result may be a
 * buffer that was given to `wrapRenderedJson`, so the caller must not change it. Throws what
 * `JSON.stringify` throws, and a TypeError for a whole value that has no JSON, such as `undefined`.
 */
export const renderJsonInSlices = function* (value: unknown, bytesMax: number): Sliced<Buffer | null> {
  const parts = yield* renderPartsInSlices(value, bytesMax)
  if (parts === null) return null
  const [first] = parts
  return parts.length === 1 && first !== undefined ? first : Buffer.concat(parts)
}

/**
 * `renderJsonInSlices` without a limit of size, never null: the buffers, joined in order, are the JSON.
 * Buffers that were given to `wrapRenderedJson` are among them without a copy.
 */
export const renderWholePartsInSlices = function* (value: unknown): Sliced<ReadonlyArray<Buffer>> {
  return (yield* renderPartsInSlices(value, Number.POSITIVE_INFINITY)) ?? []
}

/** `renderJsonInSlices` without a limit of size, never null. */
export const renderWholeJsonInSlices = function* (value: unknown): Sliced<Buffer> {
  return (yield* renderJsonInSlices(value, Number.POSITIVE_INFINITY)) ?? Buffer.alloc(0)
}

/** Joins many lists into one. `concat` copies blocks of memory, which `flat` does not. */
export const joinLists = <A>(lists: ReadonlyArray<ReadonlyArray<A>>): ReadonlyArray<A> => {
  const none: ReadonlyArray<A> = []
  if (lists.length <= joinedAtOnce) return none.concat(...lists)
  const parts: Array<ReadonlyArray<A>> = []
  for (let at = 0; at < lists.length; at += joinedAtOnce)
    parts.push(none.concat(...lists.slice(at, at + joinedAtOnce)))
  return joinLists(parts)
}

/** The items of `all` in the window, each changed by `change`. Yields between them. */
export const renderPageInSlices = function* <A, B>(
  all: ReadonlyArray<A>,
  window: Window,
  change: (item: A) => B,
): Sliced<Windowed<B>> {
  const page = applyWindow(all, window)
  const items = yield* mapInSlices(page.items, change)
  yield items.length * units.row
  return { ...page, items }
}

/**
 * The list envelope (A 2.1) as JSON around the fragments of the items in the window (D16), each in parts.
 * Yields between fragments and where they yield; joining them is one copy.
 */
export const renderListInSlices = function* <A>(
  all: ReadonlyArray<A>,
  window: Window,
  fragmentOf: (item: A) => Sliced<ReadonlyArray<Buffer>>,
): Sliced<Buffer> {
  const { count, items, ...echoes } = applyWindow(all, window)
  const parts: Array<Buffer> = [Buffer.from(`{"count":${count},"items":[`)]
  let bytes = 0
  for (const [at, item] of items.entries()) {
    if (at > 0) parts.push(comma)
    for (const part of yield* fragmentOf(item)) {
      parts.push(part)
      bytes += part.length
    }
    if (at % rowsPerSlice !== rowsPerSlice - 1 && bytes < sliceBytes) continue
    yield Math.ceil((bytes * units.kibibyte) / 1024)
    bytes = 0
  }
  yield items.length * units.row
  parts.push(Buffer.from(window.named ? `],${JSON.stringify(echoes).slice(1)}` : ']}'))
  return Buffer.concat(parts)
}

/** The largest weight of a piece: a value weighs one, a text one more for every 64 characters. */
const pieceWeight = 2048
const charactersPerWeight = 64

const rendered: unique symbol = Symbol('rendered')

const isRendered = (value: unknown): value is RenderedJson =>
  typeof value === 'object' && value !== null && rendered in value

/** Whether JSON writes the parts of a value one by one. */
const hasParts = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !('toJSON' in value)

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

const partsOf = (value: object): ReadonlyArray<unknown> => (isList(value) ? value : Object.values(value))

/** `limit` minus the weight of a value; stops at the first part that makes it negative. */
const weighValue = (value: unknown, limit: number): number => {
  if (typeof value === 'string') return limit - 1 - value.length / charactersPerWeight
  if (!hasParts(value)) return limit - 1
  // Rendered values count as heavy, because the engine's serialiser must not see them.
  if (isRendered(value)) return -1
  let left = limit - 1
  for (const part of partsOf(value)) {
    if (left < 0) return left
    left = weighValue(part, left)
  }
  return left
}

const isHeavy = (value: unknown): boolean => weighValue(value, pieceWeight) < 0

/**
 * The values as JSON without the brackets, rendered together by the engine's serialiser; only for light
 * values.
 */
const lightPiece = (values: ReadonlyArray<unknown>): string => JSON.stringify(values).slice(1, -1)

const arrayPieces = function* (values: ReadonlyArray<unknown>): Generator<JsonPiece, void, undefined> {
  let [from, left, before] = [0, pieceWeight, '[']
  for (const [at, value] of values.entries()) {
    left = weighValue(value, left)
    if (left >= 0) continue
    const isLight = !isHeavy(value)
    const to = isLight ? at + 1 : at
    if (to > from) {
      yield before + lightPiece(values.slice(from, to))
      before = ','
    }
    if (!isLight) {
      yield before
      yield* jsonPieces(value)
      before = ','
    }
    from = at + 1
    left = pieceWeight
  }
  yield from < values.length ? `${before}${lightPiece(values.slice(from))}]` : ']'
}

const isWritten = (value: unknown): boolean =>
  value !== undefined && typeof value !== 'function' && typeof value !== 'symbol'

const objectPieces = function* (value: object): Generator<JsonPiece, void, undefined> {
  let before = '{'
  for (const [key, part] of Object.entries(value)) {
    if (!isWritten(part)) continue
    yield `${before}${JSON.stringify(key)}:`
    yield* jsonPieces(part)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

/** The JSON of a value in pieces of bounded weight; together they equal the output of `JSON.stringify`. */
const jsonPieces = function* (value: unknown): Generator<JsonPiece, void, undefined> {
  if (isRendered(value)) yield* value[rendered]
  else if (!hasParts(value) || !isHeavy(value)) yield JSON.stringify(value)
  else if (isList(value)) yield* arrayPieces(value)
  else yield* objectPieces(value)
}

/** Characters rendered, or bytes reused, between two yields. */
const sliceLength = 128 * 1024

/**
 * The JSON of a value as UTF-8 in parts; null when it exceeds `bytesMax` bytes, and then the rest is not
 * rendered. Bytes of `wrapRenderedJson` become parts without a copy. Yields between pieces, so that a long
 * list does not block the event loop.
 */
const renderPartsInSlices = function* (
  value: unknown,
  bytesMax: number,
): Sliced<ReadonlyArray<Buffer> | null> {
  const parts: Array<Buffer> = []
  let [text, bytes, restedAt] = ['', 0, 0]
  const put = (part: Buffer): void => {
    parts.push(part)
    bytes += part.length
  }
  for (const piece of jsonPieces(value)) {
    if (typeof piece === 'string') text += piece
    if (typeof piece === 'string' && text.length < sliceLength) continue
    if (text !== '') put(Buffer.from(text))
    text = ''
    if (typeof piece !== 'string') put(piece)
    if (bytes > bytesMax) return null
    if (bytes - restedAt < sliceLength) continue
    restedAt = bytes
    yield
  }
  if (text !== '') put(Buffer.from(text))
  return bytes > bytesMax ? null : parts
}

/** How many lists one call of `concat` takes: every argument is on the stack. */
const joinedAtOnce = 10_000

const comma = Buffer.from(',')

/** Bytes and rows rendered between two yields. */
const sliceBytes = 128 * 1024
const rowsPerSlice = 16
