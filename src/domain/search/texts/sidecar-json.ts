import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { parseJson } from '#src/domain/json/parse-json.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'

/** `lematy/<tree>/<path>.json`: the hash of the text, and for words of it where they are and their lemma. */
export const LemmaSidecar = t.type(
  { sha256: t.string, lemmas: t.readonlyArray(t.tuple([t.number, t.number, t.string])) },
  'LemmaSidecar',
)
export type LemmaSidecar = t.TypeOf<typeof LemmaSidecar>

/** Elements that are parsed in one turn. */
const runLength = 256
/** The most characters of an element, and between two brackets or commas. */
const elementCharsMax = 4096
/** The most characters of a sidecar beside its list of lemmas. */
const restCharsMax = 65_536

const marks = { quote: 34, backslash: 92, comma: 44, open: 91, close: 93, openObject: 123, closeObject: 125 }

/** The place of the next bracket or comma outside of strings; -1 where none is near. */
const nextMark = (json: string, start: number): number => {
  const end = Math.min(json.length, start + elementCharsMax)
  let isInString = false
  for (let at = start; at < end; at += 1) {
    const code = json.charCodeAt(at)
    if (isInString && code === marks.backslash) at += 1
    else if (code === marks.quote) isInString = !isInString
    else if (isInString) continue
    else if (code === marks.comma || code === marks.open || code === marks.close) return at
    else if (code === marks.openObject || code === marks.closeObject) return at
  }
  return -1
}

const depthChange = (code: number): number =>
  code === marks.open || code === marks.openObject
    ? 1
    : code === marks.close || code === marks.closeObject
      ? -1
      : 0

const endsAsKey = (json: string): boolean => {
  const text = json.trimEnd()
  return text.endsWith(':') && text.slice(0, -1).trimEnd().endsWith('"lemmas"')
}

/** The place behind the bracket that opens the list of lemmas; -1 where there is no such list. */
const findList = (json: string): number => {
  let depth = 0
  for (let at = nextMark(json, 0); at >= 0 && at <= restCharsMax; at = nextMark(json, at + 1)) {
    const code = json.charCodeAt(at)
    if (code === marks.open && depth === 1 && endsAsKey(json.slice(Math.max(0, at - 64), at))) return at + 1
    depth += depthChange(code)
  }
  return -1
}

/** The list of lemmas of a sidecar as runs of its elements, not parsed yet, and the hash of its text. */
export interface SidecarParts {
  readonly sha256: string
  /** How many elements the list has. */
  readonly length: number
  readonly runs: ReadonlyArray<readonly [number, number]>
}

type ListParts = Omit<SidecarParts, 'sha256'> & { readonly end: number }

/** Cuts the list that starts at `start` between its elements; null where one is too long or too deep. */
const cutList = function* (json: string, start: number): Sliced<ListParts | null> {
  const runs: Array<readonly [number, number]> = []
  let [depth, length, runStart, elementStart] = [1, 0, start, start]
  for (let at = nextMark(json, start); at >= 0; at = nextMark(json, at + 1)) {
    const code = json.charCodeAt(at)
    depth += depthChange(code)
    if (depth > 2 || at - elementStart > elementCharsMax) return null
    if (depth === 0) {
      const isBlank = json.slice(runStart, at).trim() === ''
      if (isBlank) return length === 0 ? { length, runs, end: at } : null
      return { length: length + 1, runs: [...runs, [runStart, at]], end: at }
    }
    if (depth !== 1 || code !== marks.comma) continue
    length += 1
    elementStart = at + 1
    if (length % runLength !== 0) continue
    runs.push([runStart, at])
    runStart = at + 1
    yield
  }
  return null
}

/** Reads all of a sidecar but its lemmas; null where it is none. Yields between runs of elements. */
export const splitSidecar = function* (json: string): Sliced<SidecarParts | null> {
  const start = findList(json)
  const list = start < 0 ? null : yield* cutList(json, start)
  if (list === null || json.length - list.end > restCharsMax) return null
  const rest = LemmaSidecar.decode(parseJson(`${json.slice(0, start)}${json.slice(list.end)}`))
  if (isLeft(rest) || rest.right.lemmas.length > 0) return null
  return { sha256: rest.right.sha256.toLowerCase(), length: list.length, runs: list.runs }
}

/** The elements of one run; null where one is no lemma. */
export const parseRun = (
  json: string,
  [start, end]: SidecarParts['runs'][number],
): LemmaSidecar['lemmas'] | null => {
  const read = LemmaSidecar.props.lemmas.decode(parseJson(`[${json.slice(start, end)}]`))
  return isLeft(read) ? null : read.right
}
