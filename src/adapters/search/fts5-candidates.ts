import type { Statement } from '../runtime/sqlite.js'
import { countMax, wordToken } from './fts5-build.js'

/** A word of a question that the index has. */
export interface KnownWord {
  /** Its place in the question. */
  readonly at: number
  readonly id: number
  readonly documents: number
  /** The most often that a document has it. */
  readonly most: number
}

/** The lines that may be hits, in columns: `counts` has a place for each word in each row. */
export interface LineCandidates {
  readonly rows: Int32Array
  readonly found: number
  readonly counts: Uint8Array
  /** Whether every admitted line that has a word is a candidate. */
  readonly isWhole: boolean
}

/** More lines are neither ranked nor counted: they make the total a lower bound (ADR 1039). */
const linesRankedMax = 10_000

/** Rows that are read at a time. */
export const pieceLength = linesRankedMax + 1

/** Collects the lines that have any of the words: of a word that too many have, the newest lines. */
export const collectCandidates = (search: CandidateSearch): LineCandidates => {
  const { places, words } = search
  const to: Gathering = {
    ...search,
    rows: new Int32Array(linesRankedMax),
    counts: new Uint8Array(linesRankedMax * words.length),
    found: 0,
  }
  const scanned: Array<ScannedWord> = []
  for (const [at, word] of words.entries()) scanned.push(scanWord(to, scanned, word, at))
  for (const [at, one] of scanned.entries()) noteHigherCounts(to, one, at)
  const { rows, counts, found } = to
  for (let place = 0; place < found; place += 1) places[rows[place] ?? 0] = 0
  return { rows, counts, found, isWhole: scanned.every(({ isWhole }) => isWhole) }
}

/** Reads the rows of tokens, the newest first. */
export interface PostingRows {
  /** The newest rows of a token that are not above `high`, at most `pieceLength`. Remembered. */
  readonly pieceOf: (token: string, high: number) => Int32Array
  /** The newest rows that match an expression, from `low` to `high`. Not remembered. */
  readonly select: (expression: string, low: number, high: number, limit: number) => Int32Array
}

export const rowsStatement =
  'SELECT rowid FROM posting WHERE posting MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?'

/**
 * Reads by a prepared `rowsStatement`. The rows of a token never change in an open index, so the pieces that were
 * asked for last stay in memory: SQLite takes milliseconds for ten thousand rows.
 */
export const openPostingRows = (scan: Statement, pieceLength: number, max = rememberedMax): PostingRows => {
  /** In the order of their last use. */
  const known = new Map<string, Int32Array>()
  let remembered = 0
  const remember = (key: string, rows: Int32Array): void => {
    known.set(key, rows)
    remembered += rows.length
    for (const [oldest, { length }] of known) {
      if (remembered <= max) return
      known.delete(oldest)
      remembered -= length
    }
  }
  return {
    pieceOf: (token, high) => {
      const key = `${token} ${high}`
      const found = known.get(key)
      if (found !== undefined) {
        known.delete(key)
        known.set(key, found)
        return found
      }
      const rows = toRows(scan.column(`"${token}"`, 0, high, pieceLength))
      remember(key, rows)
      return rows
    },
    select: (expression, low, high, limit) => toRows(scan.column(expression, low, high, limit)),
  }
}

/** Rows of one word that are looked at, where a filter leaves many of them out. */
const scannedMax = 40_000

/** Where the candidates of a question are gathered. */
interface CandidateSearch {
  readonly postings: PostingRows
  /** The words, the rarest first. */
  readonly words: ReadonlyArray<KnownWord>
  /** Zeros, one for each row; they are zeros again at the end. */
  readonly places: Int32Array
  readonly admits: (row: number) => boolean
}

interface Gathering extends CandidateSearch {
  readonly rows: Int32Array
  readonly counts: Uint8Array
  found: number
}

/** A word, the oldest row that was looked at for it, and whether all its rows were. */
interface ScannedWord {
  readonly id: number
  readonly most: number
  readonly low: number
  readonly isWhole: boolean
}

const quoteToken = (id: number, count = 1): string => `"${wordToken(id, count)}"`

/** Notes the count of a word in the candidates among the rows. */
const noteCounts = (to: Gathering, list: Int32Array, at: number, count: number): void => {
  const { counts, places, words } = to
  const step = words.length
  for (let one = 0; one < list.length; one += 1) {
    const place = places[list[one] ?? 0] ?? 0
    if (place > 0) counts[(place - 1) * step + at] = count
  }
}

/** Makes the rows of a word candidates, as far as there is room; returns the row that had none, or null. */
const addRows = (to: Gathering, list: Int32Array, at: number): number | null => {
  const { admits, counts, places, rows, words } = to
  const step = words.length
  for (let one = 0; one < list.length; one += 1) {
    const row = list[one] ?? 0
    let place = places[row] ?? 0
    if (place === 0) {
      if (!admits(row)) continue
      if (to.found === linesRankedMax) return row
      rows[to.found] = row
      to.found += 1
      place = to.found
      places[row] = place
    }
    counts[(place - 1) * step + at] = 1
  }
  return null
}

/**
 * Notes a count of a word in the candidates among the newest `max` rows of a token down to `low`; returns how many
 * those are.
 */
const noteRowsOf = (
  to: Gathering,
  token: string,
  at: number,
  count: number,
  low: number,
  max: number,
): number => {
  const { postings, places } = to
  let [high, found] = [places.length, 0]
  while (high >= low && found < max) {
    const piece = postings.pieceOf(token, high)
    const rows = piece.subarray(0, Math.min(piece.findLastIndex(row => row >= low) + 1, max - found))
    noteCounts(to, rows, at, count)
    found += rows.length
    if (rows.length < pieceLength) return found
    high = (piece.at(-1) ?? 0) - 1
  }
  return found
}

/** Of a word that more documents have, the rows are found together with other words. */
const readMax = 3 * pieceLength

/** Finds a word in the candidates that earlier words brought, where its rows below `below` were not looked at. */
const findInCandidates = (
  to: Gathering,
  before: ReadonlyArray<ScannedWord>,
  { id, documents }: KnownWord,
  at: number,
  below: number,
): void => {
  if (before.length === 0) return
  if (documents <= readMax) {
    noteRowsOf(to, wordToken(id), at, 1, 0, Number.POSITIVE_INFINITY)
    return
  }
  const note = (expression: string, low: number): void =>
    noteCounts(
      to,
      to.postings.select(`${expression} AND ${quoteToken(id)}`, low, below - 1, linesRankedMax),
      at,
      1,
    )
  const whole = before.filter(({ isWhole }) => isWhole).map(one => quoteToken(one.id))
  if (whole.length > 0) note(`(${whole.join(' OR ')})`, 0)
  for (const { id: other, low, isWhole } of before) if (!isWhole && low < below) note(quoteToken(other), low)
}

const scanWord = (
  to: Gathering,
  before: ReadonlyArray<ScannedWord>,
  word: KnownWord,
  at: number,
): ScannedWord => {
  const { id, most } = word
  let [low, isWhole, scanned] = [to.places.length + 1, false, 0]
  while (!isWhole && to.found < linesRankedMax && scanned < scannedMax) {
    const list = to.postings.pieceOf(wordToken(id), low - 1)
    const refused = addRows(to, list, at)
    scanned += list.length
    isWhole = refused === null && list.length < pieceLength
    low = refused === null ? (list.at(-1) ?? 0) : refused + 1
    if (refused !== null) break
  }
  if (!isWhole) findInCandidates(to, before, word, at, low)
  return { id, most, low: isWhole ? 0 : low, isWhole }
}

/** Notes the higher counts of a word; each has a token of its own. */
const noteHigherCounts = (to: Gathering, { id, most, low }: ScannedWord, at: number): void => {
  for (let count = 2; count <= Math.min(most, countMax); count += 1)
    if (noteRowsOf(to, wordToken(id, count), at, count, low, 2 * linesRankedMax) === 0) return
}

/** How many rows are remembered: 8 MB. */
const rememberedMax = 2_000_000

const toRows = (column: ReadonlyArray<unknown>): Int32Array => {
  const rows = new Int32Array(column.length)
  for (let at = 0; at < rows.length; at += 1) rows[at] = Number(column[at])
  return rows
}
