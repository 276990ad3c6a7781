import { type Either, isLeft, left, right, tryCatch } from 'fp-ts/lib/Either.js'
import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'

/** Where and why parsing stopped. `path` is as in `$.tags[0]`; neither field contains a value of the text. */
export interface JsonFault {
  readonly path: string
  readonly reason: string
  /** The text has more values than allowed; the rest was not parsed. */
  readonly isExcess?: true
  /** An object of the text has the key `__proto__`. */
  readonly isReserved?: true
}

/**
 * Parses JSON of RFC 8259, and stricter (D24): no duplicate key, no `__proto__`, no NUL, no half surrogate
 * pair, no number that is not finite or a whole one that is not exact, no nesting deeper than 64, nothing
 * after the value; −0 is 0. Objects have no prototype. JSON.parse accepts all of these. Stops when the text
 * has more than `valuesMax` values, including lists and objects. Yields every few hundred values.
 */
export const readJsonInSlices = function* (
  text: string,
  valuesMax = Number.POSITIVE_INFINITY,
): Sliced<Either<JsonFault, unknown>> {
  const cursor = cursorOf(text, valuesMax)
  const value = yield* readWhole(cursor)
  if (cursor.fault === null) return right(value)
  const { line: _line, column: _column, ...fault } = cursor.fault
  return left(fault)
}

/** Runs `readJsonInSlices` to its end without yielding. */
export const readJson = (text: string, valuesMax?: number): Either<JsonFault, unknown> =>
  atOnce(readJsonInSlices(text, valuesMax))

/** `readJson` for a text that a person edits: returns the place of the fault, or the place of each value. */
export const readPlacedJson = (
  text: string,
  valuesMax = Number.POSITIVE_INFINITY,
): Either<JsonFault & JsonPlace, PlacedJson> => {
  const starts = new Map<string, number>()
  const cursor: Cursor = { ...cursorOf(text, valuesMax), starts }
  const value = atOnce(readWhole(cursor))
  if (cursor.fault !== null) return left(cursor.fault)
  let known: ReadonlyArray<number> | null = null
  const placeOf = (path: string): JsonPlace | null => {
    const at = starts.get(path)
    if (at === undefined) return null
    known ??= findLineStarts(text)
    return placeIn(known, at)
  }
  return right({ value, placeOf })
}

/** A place in a text: line and column, both counted from 1. */
export interface JsonPlace {
  readonly line: number
  readonly column: number
}

/** The value of a JSON text; null where the text is not JSON. */
export const parseJson = (text: string): unknown => {
  const value = tryCatch<null, unknown>(
    () => JSON.parse(text),
    () => null,
  )
  return isLeft(value) ? null : value.right
}

/** Deepest nesting of arrays and objects (D24). */
const depthMax = 64

interface Cursor {
  readonly text: string
  at: number
  depth: number
  fault: (JsonFault & JsonPlace) | null
  valuesLeft: number
  valuesUntilYield: number
  readonly trail: Array<string | number>
  /** Collects the offset of each value; absent when the caller does not need it. */
  readonly starts?: Map<string, number>
}

const pathCharsMax = 200

/** The path of a trail. Reads only as much as will be shown, because keys may be long and deep. */
const pathOf = (trail: ReadonlyArray<string | number>): string => {
  let path = '$'
  for (const step of trail) {
    if (path.length >= pathCharsMax) break
    path += typeof step === 'number' ? `[${step}]` : `.${step.slice(0, pathCharsMax)}`
  }
  return path.slice(0, pathCharsMax)
}

const fail = (cursor: Cursor, reason: string): undefined => {
  cursor.fault ??= { path: pathOf(cursor.trail), reason, ...placeAt(cursor.text, cursor.at) }
  return undefined
}

const failOfExcess = (cursor: Cursor): undefined => {
  fail(cursor, 'too many values')
  if (cursor.fault !== null) cursor.fault = { ...cursor.fault, isExcess: true }
  return undefined
}

const failOfReserved = (cursor: Cursor): undefined => {
  fail(cursor, 'a key has a reserved name')
  if (cursor.fault !== null) cursor.fault = { ...cursor.fault, isReserved: true }
  return undefined
}

const skipBlanks = (cursor: Cursor): void => {
  for (;;) {
    const code = cursor.text.charCodeAt(cursor.at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
    cursor.at += 1
  }
}

const tooLarge =
  'the whole number has more than 53 bits and would lose digits; write an id as a text in quotes'

const number = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y

const readNumber = (cursor: Cursor): number | undefined => {
  number.lastIndex = cursor.at
  const found = number.exec(cursor.text)
  if (found === null) return fail(cursor, 'a value is expected')
  cursor.at = number.lastIndex
  const value = Number(found[0])
  if (!Number.isFinite(value)) return fail(cursor, 'the number is too large')
  const isWhole = found[1] === undefined && found[2] === undefined
  if (isWhole && !Number.isSafeInteger(value)) return fail(cursor, tooLarge)
  return value === 0 ? 0 : value
}

/** With the u flag a whole pair is one character, so this matches only halves. */
const loneSurrogate = /\p{Surrogate}/u

/** The quoted text at the cursor, which moves after the closing quote; `escaped` when it has a backslash. */
const readQuotes = (cursor: Cursor): { readonly raw: string; readonly escaped: boolean } | undefined => {
  const start = cursor.at
  let escaped = false
  for (let at = start + 1; at < cursor.text.length; at += 1) {
    const code = cursor.text.charCodeAt(at)
    if (code === 0x22) {
      cursor.at = at + 1
      return { raw: cursor.text.slice(start, at + 1), escaped }
    }
    if (code < 0x20) return fail(cursor, 'a text has a control character')
    if (code === 0x5c) {
      escaped = true
      at += 1
    }
  }
  return fail(cursor, 'a text has no end')
}

const unescapeString = (raw: string): string | undefined => {
  try {
    const value: unknown = JSON.parse(raw)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

const readString = (cursor: Cursor): string | undefined => {
  const found = readQuotes(cursor)
  if (found === undefined) return undefined
  const value = found.escaped ? unescapeString(found.raw) : found.raw.slice(1, -1)
  if (value === undefined) return fail(cursor, 'an escape is malformed')
  if (value.includes('\0')) return fail(cursor, 'a text has a NUL')
  return loneSurrogate.test(value) ? fail(cursor, 'a text has half a surrogate pair') : value
}

const take = (cursor: Cursor, letter: string): boolean => {
  skipBlanks(cursor)
  if (cursor.text[cursor.at] !== letter) return false
  cursor.at += 1
  return true
}

/** How many values are read between two yields. */
const valuesPerSlice = 256

const isYieldDue = (cursor: Cursor): boolean => {
  if (cursor.valuesUntilYield > 0) return false
  cursor.valuesUntilYield = valuesPerSlice
  return true
}

const readArray = function* (cursor: Cursor): Sliced<ReadonlyArray<unknown> | undefined> {
  const items: Array<unknown> = []
  cursor.at += 1
  if (take(cursor, ']')) return items
  for (;;) {
    cursor.trail.push(items.length)
    items.push(isNested(cursor) ? yield* readNested(cursor) : readPlain(cursor))
    if (cursor.fault !== null) return undefined
    cursor.trail.pop()
    if (take(cursor, ']')) return items
    if (!take(cursor, ',')) return fail(cursor, 'a comma or ] is expected')
    if (isYieldDue(cursor)) yield
  }
}

const readKey = (cursor: Cursor, known: object): string | undefined => {
  skipBlanks(cursor)
  if (cursor.text[cursor.at] !== '"') return fail(cursor, 'a key in quotes is expected')
  const key = readString(cursor)
  if (key === undefined) return undefined
  if (key === '__proto__') return failOfReserved(cursor)
  if (key in known) return fail(cursor, 'a key is there twice')
  return take(cursor, ':') ? key : fail(cursor, 'a colon is expected')
}

const emptyObject = (): Record<string, unknown> => ({ __proto__: null })

const readObject = function* (cursor: Cursor): Sliced<Readonly<Record<string, unknown>> | undefined> {
  const object = emptyObject()
  cursor.at += 1
  if (take(cursor, '}')) return object
  for (;;) {
    const key = readKey(cursor, object)
    if (key === undefined) return undefined
    cursor.trail.push(key)
    object[key] = isNested(cursor) ? yield* readNested(cursor) : readPlain(cursor)
    if (cursor.fault !== null) return undefined
    cursor.trail.pop()
    if (take(cursor, '}')) return object
    if (!take(cursor, ',')) return fail(cursor, 'a comma or } is expected')
    if (isYieldDue(cursor)) yield
  }
}

const readWord = (cursor: Cursor, word: string, value: boolean | null): boolean | null | undefined => {
  if (!cursor.text.startsWith(word, cursor.at)) return fail(cursor, 'a value is expected')
  cursor.at += word.length
  return value
}

/** Counts the value at the cursor; false when the text has more values than allowed. */
const countValue = (cursor: Cursor): boolean => {
  if (cursor.valuesLeft === 0) {
    failOfExcess(cursor)
    return false
  }
  cursor.valuesLeft -= 1
  cursor.valuesUntilYield -= 1
  cursor.starts?.set(pathOf(cursor.trail), cursor.at)
  return true
}

/** Whether the next value is an object or an array. Moves the cursor to it. */
const isNested = (cursor: Cursor): boolean => {
  skipBlanks(cursor)
  const code = cursor.text.charCodeAt(cursor.at)
  return code === 0x7b || code === 0x5b
}

const readPlain = (cursor: Cursor): unknown => {
  if (!countValue(cursor)) return undefined
  switch (cursor.text.charAt(cursor.at)) {
    case '"':
      return readString(cursor)
    case 't':
      return readWord(cursor, 'true', true)
    case 'f':
      return readWord(cursor, 'false', false)
    case 'n':
      return readWord(cursor, 'null', null)
    default:
      return readNumber(cursor)
  }
}

const readNested = function* (cursor: Cursor): Sliced<unknown> {
  if (!countValue(cursor)) return undefined
  cursor.depth += 1
  if (cursor.depth > depthMax) return fail(cursor, `values are nested more than ${depthMax} deep`)
  const value = cursor.text.charAt(cursor.at) === '{' ? yield* readObject(cursor) : yield* readArray(cursor)
  cursor.depth -= 1
  return value
}

const readWhole = function* (cursor: Cursor): Sliced<unknown> {
  const value = isNested(cursor) ? yield* readNested(cursor) : readPlain(cursor)
  if (cursor.fault === null) skipBlanks(cursor)
  if (cursor.fault === null && cursor.at < cursor.text.length) fail(cursor, 'there is text after the value')
  return value
}

const cursorOf = (text: string, valuesLeft: number): Cursor => ({
  text,
  at: 0,
  depth: 0,
  fault: null,
  valuesLeft,
  valuesUntilYield: valuesPerSlice,
  trail: [],
})

/**
 * A value, with a function that returns where the value at a path such as `$.server` begins; null when there
 * is none.
 */
interface PlacedJson {
  readonly value: unknown
  readonly placeOf: (path: string) => JsonPlace | null
}

/** The offset at which each line of a text begins. */
const findLineStarts = (text: string): ReadonlyArray<number> => {
  const found = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) found.push(at + 1)
  return found
}

/** The place of an offset in a text with these starts of lines. */
const placeIn = (lines: ReadonlyArray<number>, at: number): JsonPlace => {
  let [low, high] = [0, lines.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((lines[middle] ?? 0) <= at) low = middle
    else high = middle
  }
  return { line: low + 1, column: at - (lines[low] ?? 0) + 1 }
}

const placeAt = (text: string, at: number): JsonPlace => placeIn(findLineStarts(text.slice(0, at)), at)
