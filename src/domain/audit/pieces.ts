import { lineStarts, rawLines, readLinesInSlices } from '#src/domain/lore/lines/lines.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'

/**
 * Splits a text before its headers of level 1 to 3, so that unchanged pieces are not described. The text before
 * the first header is a piece too.
 */
export const piecesOf = function* (text: string): Sliced<ReadonlyArray<string>> {
  const { lines } = yield* readLinesInSlices(text)
  const starts = lineStarts(text)
  yield
  const cuts = lines.flatMap(line =>
    line._tag === 'Header' && line.level <= 3 && line.number > 1 ? [starts[line.number - 1] ?? 0] : [],
  )
  return text === '' ? [] : [0, ...cuts].map((start, at) => text.slice(start, cuts[at]))
}

/** The lines of a text, for files with one record a line. */
export const recordsOf = function* (text: string): Sliced<ReadonlyArray<string>> {
  yield
  return rawLines(text).filter(line => line.trim() !== '')
}

/** How many items are processed between two yields. */
export const sliceCount = 200

/** The texts of `from` that `other` does not have, or has less often. */
const beyond = function* (
  from: ReadonlyArray<string>,
  other: ReadonlyArray<string>,
): Sliced<ReadonlyArray<string>> {
  const counts = new Map<string, number>()
  for (const [at, one] of other.entries()) {
    counts.set(one, (counts.get(one) ?? 0) + 1)
    if (at % sliceCount === sliceCount - 1) yield
  }
  const found: Array<string> = []
  for (const [at, one] of from.entries()) {
    const count = counts.get(one) ?? 0
    counts.set(one, count - 1)
    if (count <= 0) found.push(one)
    if (at % sliceCount === sliceCount - 1) yield
  }
  return found
}

export interface Unshared {
  readonly before: ReadonlyArray<string>
  readonly after: ReadonlyArray<string>
}

/** The pieces that each of two texts has and the other does not. Skips the common beginning and end first. */
export const dropSharedPieces = function* (
  before: ReadonlyArray<string>,
  after: ReadonlyArray<string>,
): Sliced<Unshared> {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  const was = before.slice(start, before.length - end)
  const is = after.slice(start, after.length - end)
  return { before: yield* beyond(was, is), after: yield* beyond(is, was) }
}
