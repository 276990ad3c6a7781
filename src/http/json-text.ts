import { type Either, left, right } from 'fp-ts/lib/Either.js'

/** Where reading stopped and why; `path` is as in `$.tags[0]`, and neither holds a value of the text. */
export interface JsonFault {
  readonly path: string
  readonly reason: string
}

/** Arrays and objects may lie this deep (D24). */
const depthMax = 64

interface Cursor {
  readonly text: string
  at: number
  depth: number
  fault: JsonFault | null
  readonly trail: Array<string | number>
}

const pathCharsMax = 200

const pathOf = (trail: ReadonlyArray<string | number>): string =>
  trail
    .reduce<string>((path, step) => path + (typeof step === 'number' ? `[${step}]` : `.${step}`), '$')
    .slice(0, pathCharsMax)

const fail = (cursor: Cursor, reason: string): undefined => {
  cursor.fault ??= { path: pathOf(cursor.trail), reason }
  return undefined
}

const skipBlanks = (cursor: Cursor): void => {
  for (;;) {
    const code = cursor.text.charCodeAt(cursor.at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
    cursor.at += 1
  }
}

const number = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y

const readNumber = (cursor: Cursor): number | undefined => {
  number.lastIndex = cursor.at
  const found = number.exec(cursor.text)
  if (found === null) return fail(cursor, 'a value is expected')
  cursor.at = number.lastIndex
  const value = Number(found[0])
  if (!Number.isFinite(value)) return fail(cursor, 'the number is too large')
  const isWhole = found[1] === undefined && found[2] === undefined
  if (isWhole && !Number.isSafeInteger(value)) return fail(cursor, 'the whole number is too large')
  return value === 0 ? 0 : value
}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

const readEscape = (cursor: Cursor): string | undefined => {
  const letter = cursor.text[cursor.at + 1] ?? ''
  const plain = escapes[letter]
  if (plain !== undefined) {
    cursor.at += 2
    return plain
  }
  const hex = cursor.text.slice(cursor.at + 2, cursor.at + 6)
  if (letter !== 'u' || !/^[0-9a-fA-F]{4}$/.test(hex)) return fail(cursor, 'an escape is malformed')
  cursor.at += 6
  return String.fromCharCode(Number.parseInt(hex, 16))
}

/** Under the u flag a whole pair is one letter, so this finds halves alone. */
const loneSurrogate = /\p{Surrogate}/u

const plainRun = /[^"\\\u0000-\u001f]*/y

const readString = (cursor: Cursor): string | undefined => {
  cursor.at += 1
  let value = ''
  for (;;) {
    plainRun.lastIndex = cursor.at
    plainRun.exec(cursor.text)
    value += cursor.text.slice(cursor.at, plainRun.lastIndex)
    cursor.at = plainRun.lastIndex
    const letter = cursor.text[cursor.at]
    if (letter === '"') break
    if (letter !== '\\')
      return fail(cursor, letter === undefined ? 'a text has no end' : 'a text has a control character')
    const escaped = readEscape(cursor)
    if (escaped === undefined) return undefined
    value += escaped
  }
  cursor.at += 1
  if (value.includes('\0')) return fail(cursor, 'a text has a NUL')
  return loneSurrogate.test(value) ? fail(cursor, 'a text has half a surrogate pair') : value
}

const take = (cursor: Cursor, letter: string): boolean => {
  skipBlanks(cursor)
  if (cursor.text[cursor.at] !== letter) return false
  cursor.at += 1
  return true
}

const readArray = (cursor: Cursor): ReadonlyArray<unknown> | undefined => {
  const items: Array<unknown> = []
  cursor.at += 1
  if (take(cursor, ']')) return items
  for (;;) {
    cursor.trail.push(items.length)
    items.push(readValue(cursor))
    if (cursor.fault !== null) return undefined
    cursor.trail.pop()
    if (take(cursor, ']')) return items
    if (!take(cursor, ',')) return fail(cursor, 'a comma or ] is expected')
  }
}

const readKey = (cursor: Cursor, known: object): string | undefined => {
  skipBlanks(cursor)
  if (cursor.text[cursor.at] !== '"') return fail(cursor, 'a key in quotes is expected')
  const key = readString(cursor)
  if (key === undefined) return undefined
  if (key === '__proto__') return fail(cursor, 'a key has a reserved name')
  if (key in known) return fail(cursor, 'a key stands twice')
  return take(cursor, ':') ? key : fail(cursor, 'a colon is expected')
}

const emptyObject = (): Record<string, unknown> => Object.create(null)

const readObject = (cursor: Cursor): Readonly<Record<string, unknown>> | undefined => {
  const object = emptyObject()
  cursor.at += 1
  if (take(cursor, '}')) return object
  for (;;) {
    const key = readKey(cursor, object)
    if (key === undefined) return undefined
    cursor.trail.push(key)
    object[key] = readValue(cursor)
    if (cursor.fault !== null) return undefined
    cursor.trail.pop()
    if (take(cursor, '}')) return object
    if (!take(cursor, ',')) return fail(cursor, 'a comma or } is expected')
  }
}

const nested = <A>(cursor: Cursor, read: (cursor: Cursor) => A): A | undefined => {
  cursor.depth += 1
  if (cursor.depth > depthMax) return fail(cursor, `values lie more than ${depthMax} deep`)
  const value = read(cursor)
  cursor.depth -= 1
  return value
}

const words: ReadonlyArray<readonly [string, boolean | null]> = [
  ['true', true],
  ['false', false],
  ['null', null],
]

const readValue = (cursor: Cursor): unknown => {
  skipBlanks(cursor)
  const letter = cursor.text[cursor.at]
  if (letter === '{') return nested(cursor, readObject)
  if (letter === '[') return nested(cursor, readArray)
  if (letter === '"') return readString(cursor)
  const word = words.find(([text]) => cursor.text.startsWith(text, cursor.at))
  if (word === undefined) return readNumber(cursor)
  cursor.at += word[0].length
  return word[1]
}

/**
 * Reads JSON as RFC 8259 has it, and stricter (D24): no duplicate key, no `__proto__`, no NUL, no half surrogate pair,
 * no number that is not finite or a whole one that is not exact, nothing deeper than 64, nothing after the value; −0 is 0.
 * Objects have no prototype. JSON.parse lets all of these pass.
 */
export const readJson = (text: string): Either<JsonFault, unknown> => {
  const cursor: Cursor = { text, at: 0, depth: 0, fault: null, trail: [] }
  const value = readValue(cursor)
  if (cursor.fault === null) skipBlanks(cursor)
  if (cursor.fault === null && cursor.at < text.length) fail(cursor, 'something stands after the value')
  return cursor.fault === null ? right(value) : left(cursor.fault)
}
