import {
  admitsDocument,
  type Coverage,
  coverageOf,
  isOpenFilter,
  type RankFilter,
} from '#src/domain/search/ranking.js'
import type { PartQuestion } from './index-part.js'
import { rowsWithWord } from './wink-postings.js'
import { placeOfWord, type WinkState } from './wink-state.js'

/** The rows of a collection that have a word of the question. */
export interface WinkMatches {
  readonly rows: ReadonlyArray<number>
  /** How much of the question each row has, by row; meaningless for a row that does not match. */
  readonly coverages: Uint8Array
  /** How many sources the rows are of. */
  readonly sources: number
}

/** Whether a row may be a hit. */
const admitRows = ({ dropped, heads }: WinkState, filter: RankFilter): ((row: number) => boolean) => {
  const isOpen = isOpenFilter(filter)
  return row => {
    const head = heads[row]
    return dropped[row] === 0 && (isOpen || (head !== undefined && admitsDocument(filter, head)))
  }
}

export const matchRows = (state: WinkState, { words, asked, filter }: PartQuestion): WinkMatches => {
  const { heads, postings, rowsOf, sourceOf } = state
  const admits = admitRows(state, filter)
  const [inRow, inSource] = [new Int32Array(heads.length), new Int32Array(rowsOf.size)]
  const [isRow, isSource] = [new Uint8Array(heads.length), new Uint8Array(rowsOf.size)]
  const rows: Array<number> = []
  let sources = 0
  for (const [at, word] of words.entries()) {
    const bits = asked.ofTerm[at] ?? 0
    const withWord = rowsWithWord(postings, placeOfWord(state, word))
    for (let nth = 0; nth < withWord.length; nth += 1) {
      const row = withWord[nth] ?? 0
      const source = sourceOf[row] ?? 0
      if (isRow[row] === 0) {
        if (!admits(row)) continue
        isRow[row] = 1
        rows.push(row)
        if (isSource[source] === 0) sources += 1
        isSource[source] = 1
      }
      inRow[row] = (inRow[row] ?? 0) | bits
      inSource[source] = (inSource[source] ?? 0) | bits
    }
  }
  const coverages = new Uint8Array(heads.length)
  for (const row of rows)
    coverages[row] = coverageOf(asked, inRow[row] ?? 0, inSource[sourceOf[row] ?? 0] ?? 0)
  return { rows, coverages, sources }
}

/**
 * The least coverage that a hit can have: the rows of it and above are of at least `sourcesMin` sources, whose best
 * rows rank before every other. 0 where there are fewer.
 */
export const leastCoverage = (
  { sourceOf, rowsOf }: WinkState,
  { rows, coverages }: WinkMatches,
  sourcesMin: number,
): Coverage => {
  const isSource = new Uint8Array(rowsOf.size)
  let sources = 0
  for (const least of [2, 1] as const) {
    for (const row of rows) {
      const source = sourceOf[row] ?? 0
      if (coverages[row] !== least || isSource[source] === 1) continue
      isSource[source] = 1
      sources += 1
    }
    if (sources >= sourcesMin) return least
  }
  return 0
}
