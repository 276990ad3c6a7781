import type { Statement } from '../runtime/sqlite.js'
import { countMax, tokenOf } from './fts5-schema.js'

/** A word of a question that the index has. */
export interface KnownWord {
  /** Its place in the question. */
  readonly at: number
  readonly id: number
  readonly documents: number
  /** The most often that a document has it. */
  readonly most: number
}

/** The lines that may be hits, in columns: `counts` has `words` places for each row. */
export interface Candidates {
  readonly rows: Int32Array
  readonly found: number
  readonly counts: Uint8Array
  /** Whether every admitted line that has a word is a candidate. */
  readonly isWhole: boolean
}

/** More lines are neither ranked nor counted: they make the total a lower bound (ADR 1052). */
export const candidatesMax = 10_000

/** Rows that one word is searched for admitted ones in, where a filter leaves many out. */
const scannedMax = 60_000

/** A word, the oldest row that was scanned for it, and whether all its rows were. */
interface Scanned {
  readonly word: KnownWord
  readonly low: number
  readonly isWhole: boolean
}

const quoted = (id: number, count = 1): string => `"${tokenOf(id, count)}"`

/**
 * Collects the lines that have any of the words, the rarest words first, and the newest lines of a word that
 * too many have. `scan` selects the rows of an expression from a lowest row on, the newest first.
 */
export const collectCandidates = (
  scan: Statement,
  words: ReadonlyArray<KnownWord>,
  places: Int32Array,
  admits: (row: number) => boolean,
  isOpen: boolean,
): Candidates => {
  const rows = new Int32Array(candidatesMax)
  const counts = new Uint8Array(candidatesMax * words.length)
  const scanned: Array<Scanned> = []
  let found = 0
  let isWhole = true
  const select = (expression: string, low: number, limit: number): ReadonlyArray<unknown> =>
    scan.column(expression, low, limit)
  /** Notes a count of a candidate; a row that is none is added where `adds`. Returns false when there is no room. */
  const note = (row: number, at: number, count: number, adds: boolean): boolean => {
    let place = places[row] ?? 0
    if (place === 0) {
      if (!adds || !admits(row)) return true
      if (found === candidatesMax) return false
      rows[found] = row
      found += 1
      place = found
      places[row] = place
    }
    counts[(place - 1) * words.length + at] = count
    return true
  }
  for (const [at, word] of words.entries()) {
    const limit = isOpen ? candidatesMax + 1 : scannedMax
    const list = select(quoted(word.id), 0, limit)
    let low = 0
    let isAll = list.length < limit
    for (const row of list)
      if (!note(Number(row), at, 1, true)) {
        low = Number(row) + 1
        isAll = false
        break
      }
    if (list.length === limit && low === 0) low = Number(list.at(-1))
    if (!isAll) {
      isWhole = false
      const before = scanned.filter(one => one.isWhole).map(one => quoted(one.word.id))
      if (before.length > 0)
        for (const row of select(`(${before.join(' OR ')}) AND ${quoted(word.id)}`, 0, candidatesMax))
          note(Number(row), at, 1, false)
      for (const one of scanned)
        if (!one.isWhole)
          for (const row of select(`${quoted(one.word.id)} AND ${quoted(word.id)}`, one.low, candidatesMax))
            note(Number(row), at, 1, false)
    }
    scanned.push({ word, low, isWhole: isAll })
  }
  for (const [at, { word, low }] of scanned.entries())
    for (let count = 2; count <= Math.min(word.most, countMax); count += 1) {
      const list = select(quoted(word.id, count), low, 2 * candidatesMax)
      if (list.length === 0) break
      for (const row of list) note(Number(row), at, count, false)
    }
  for (let place = 0; place < found; place += 1) places[rows[place] ?? 0] = 0
  return { rows, found, counts, isWhole }
}
