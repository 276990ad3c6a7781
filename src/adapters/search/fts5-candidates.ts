import type { Statement } from '../runtime/sqlite.js'
import { countMax, wordToken } from './fts5-schema.js'

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
export const candidatesMax = 10_000

/** Rows of one word that are looked at, where a filter leaves many of them out. */
const scannedMax = 60_000

/** Where the candidates of a question are gathered. */
export interface CandidateSearch {
  /** Selects the rows of an expression from a lowest row on, the newest first, up to a limit. */
  readonly scan: Statement
  /** The words, the rarest first. */
  readonly words: ReadonlyArray<KnownWord>
  /** Zeros, one for each row; they are zeros again at the end. */
  readonly places: Int32Array
  readonly admits: (row: number) => boolean
  /** Whether every row is admitted. */
  readonly isOpen: boolean
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

const select = (to: Gathering, expression: string, low: number, limit: number): ReadonlyArray<unknown> =>
  to.scan.column(expression, low, limit)

/** Notes the count of a word in the candidates among the rows. */
const noteCounts = (to: Gathering, list: ReadonlyArray<unknown>, at: number, count: number): void => {
  const { counts, places, words } = to
  for (const row of list) {
    const place = places[Number(row)] ?? 0
    if (place > 0) counts[(place - 1) * words.length + at] = count
  }
}

/** Makes the rows of a word candidates, as far as there is room; returns the row that had none, or null. */
const addRows = (to: Gathering, list: ReadonlyArray<unknown>, at: number): number | null => {
  const { admits, counts, places, rows, words } = to
  for (const one of list) {
    const row = Number(one)
    let place = places[row] ?? 0
    if (place === 0) {
      if (!admits(row)) continue
      if (to.found === candidatesMax) return row
      rows[to.found] = row
      to.found += 1
      place = to.found
      places[row] = place
    }
    counts[(place - 1) * words.length + at] = 1
  }
  return null
}

/** Finds a word in the candidates that earlier words brought, where not all its rows were looked at. */
const findInCandidates = (
  to: Gathering,
  before: ReadonlyArray<ScannedWord>,
  word: KnownWord,
  at: number,
): void => {
  const whole = before.filter(({ isWhole }) => isWhole).map(({ id }) => quoteToken(id))
  const token = quoteToken(word.id)
  if (whole.length > 0)
    noteCounts(to, select(to, `(${whole.join(' OR ')}) AND ${token}`, 0, candidatesMax), at, 1)
  for (const { id, low, isWhole } of before)
    if (!isWhole) noteCounts(to, select(to, `${quoteToken(id)} AND ${token}`, low, candidatesMax), at, 1)
}

const scanWord = (
  to: Gathering,
  before: ReadonlyArray<ScannedWord>,
  word: KnownWord,
  at: number,
): ScannedWord => {
  const { id, most } = word
  const limit = to.isOpen ? candidatesMax + 1 : scannedMax
  const list = to.found === candidatesMax ? [] : select(to, quoteToken(id), 0, limit)
  const refused = addRows(to, list, at)
  const isWhole = refused === null && to.found < candidatesMax && list.length < limit
  if (!isWhole) findInCandidates(to, before, word, at)
  const low = isWhole ? 0 : refused === null ? Number(list.at(-1) ?? 0) : refused + 1
  return { id, most, low, isWhole }
}

/** Notes the higher counts of a word; each is found by a token of its own. */
const noteHigherCounts = (to: Gathering, { id, most, low }: ScannedWord, at: number): void => {
  for (let count = 2; count <= Math.min(most, countMax); count += 1) {
    const list = select(to, quoteToken(id, count), low, 2 * candidatesMax)
    if (list.length === 0) return
    noteCounts(to, list, at, count)
  }
}

/** Collects the lines that have any of the words: of a word that too many have, the newest lines. */
export const collectCandidates = (search: CandidateSearch): LineCandidates => {
  const { places, words } = search
  const to: Gathering = {
    ...search,
    rows: new Int32Array(candidatesMax),
    counts: new Uint8Array(candidatesMax * words.length),
    found: 0,
  }
  const scanned: Array<ScannedWord> = []
  for (const [at, word] of words.entries()) scanned.push(scanWord(to, scanned, word, at))
  for (const [at, one] of scanned.entries()) noteHigherCounts(to, one, at)
  const { rows, counts, found } = to
  for (let place = 0; place < found; place += 1) places[rows[place] ?? 0] = 0
  return { rows, counts, found, isWhole: scanned.every(({ isWhole }) => isWhole) }
}
