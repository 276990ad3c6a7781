import { admitsDocument, isOpenFilter } from '#src/domain/search/admit.js'
import { countOf, saturate } from '#src/domain/search/bm25.js'
import { type Coverage, coverageOf } from '#src/domain/search/coverage.js'
import type { DocumentHead } from '#src/domain/search/document.js'
import { byCoverageAndScore } from '#src/domain/search/join-rankings.js'
import type { RankedHit, RankFilter, Ranking } from '#src/domain/search/ranking.js'
import type { IndexPart, PartQuestion } from './index-part.js'
import type { PackedDocument } from './packed-document.js'
import {
  dropWinkRows,
  freshWink,
  idfThenOf,
  openWinkState,
  placeOfWord,
  type SavedWink,
  type WinkState,
} from './wink-state.js'

/** wink ranks no smaller collection. */
export const winkDocumentsMin = 3

/** Decimals of a score that wink stores. */
const precision = 6

/** Builds a wink of at least `winkDocumentsMin` documents; the row of each is its place. */
export const buildWink = (documents: ReadonlyArray<PackedDocument>): SavedWink => {
  const wink = freshWink()
  for (const [row, { words }] of documents.entries()) wink.addDoc({ words, row }, row)
  const frequencies = Object.keys(wink.getTokens()).map(() => 0)
  const docs = wink.getDocs()
  let words = 0
  for (const row of documents.keys()) {
    const doc = docs[row]
    if (doc === undefined) continue
    words += doc.length
    for (const at in doc.freq) frequencies[at] = (frequencies[at] ?? 0) + 1
  }
  wink.consolidate(precision)
  return { json: wink.exportJSON(), frequencies, size: { documents: documents.length, words } }
}

/** Makes the hit of a row, with the score that it has in the whole collection of now. */
const scoreRows = (state: WinkState, { words, idfs, averageLength }: PartQuestion) => {
  const { averageThen, docs, heads } = state
  const known = words.map(word => {
    const place = placeOfWord(state, word)
    return { place, then: place < 0 ? 1 : idfThenOf(state, place) }
  })
  return (row: number, coverage: Coverage): RankedHit | null => {
    const [head, doc] = [heads[row], docs[row]]
    if (head === undefined || doc === undefined) return null
    const matched: Array<number> = []
    let score = 0
    for (let at = 0; at < known.length; at += 1) {
      const { place, then } = known[at] ?? { place: -1, then: 1 }
      const share = doc.freq[place]
      if (share === undefined) continue
      matched.push(at)
      const count = countOf(share / then, doc.length, averageThen)
      score += (idfs[at] ?? 0) * saturate(count, doc.length, averageLength)
    }
    return { id: head.id, score, coverage, matched, document: head }
  }
}

/** Whether a row may be a hit. */
const admitRows = ({ dropped, heads }: WinkState, filter: RankFilter): ((row: number) => boolean) => {
  const isOpen = isOpenFilter(filter)
  return row => {
    const head = heads[row]
    return dropped[row] === 0 && (isOpen || (head !== undefined && admitsDocument(filter, head)))
  }
}

const bestOfSources = (hits: ReadonlyArray<RankedHit>): ReadonlyArray<RankedHit> => {
  const seen = new Set<string>()
  return hits.filter(({ document: { source } }) => {
    if (seen.has(source)) return false
    seen.add(source)
    return true
  })
}

/** The rows that wink finds, the best first, and how much of the question each has. */
interface FoundRows {
  readonly rows: Int32Array
  readonly coverages: Uint8Array
}

/**
 * Notes which words each row has, as wink calls its filter: for each row of the first word, then for each row of the
 * next one.
 */
const noteWords = (state: WinkState, { words, asked }: PartQuestion, admits: (row: number) => boolean) => {
  const inRow = new Int32Array(state.heads.length)
  const inSource = new Int32Array(state.rowsOf.size)
  let [at, left] = [-1, 0]
  const filter = ({ row }: { readonly row: number }): boolean => {
    while (left === 0 && at < words.length) {
      at += 1
      left = state.saved.frequencies[placeOfWord(state, words[at] ?? '')] ?? 0
    }
    left -= 1
    if (!admits(row)) return false
    const word = asked.ofTerm[at] ?? 0
    const source = state.sourceOf[row] ?? 0
    inRow[row] = (inRow[row] ?? 0) | word
    inSource[source] = (inSource[source] ?? 0) | word
    return true
  }
  return { filter, inRow, inSource }
}

const findRows = (state: WinkState, question: PartQuestion): FoundRows => {
  const { filter, inRow, inSource } = noteWords(state, question, admitRows(state, question.filter))
  const found = state.wink.search(question.words.join(' '), Number.POSITIVE_INFINITY, filter)
  const [all, allCoverages] = [new Int32Array(found.length), new Uint8Array(found.length)]
  const starts = [0, 0, 0]
  for (let at = 0; at < found.length; at += 1) {
    const row = Number(found[at]?.[0])
    const coverage = coverageOf(question.asked, inRow[row] ?? 0, inSource[state.sourceOf[row] ?? 0] ?? 0)
    all[at] = row
    allCoverages[at] = coverage
    for (let lower = 0; lower < coverage; lower += 1) starts[lower] = (starts[lower] ?? 0) + 1
  }
  const [rows, coverages] = [new Int32Array(found.length), new Uint8Array(found.length)]
  for (let at = 0; at < found.length; at += 1) {
    const coverage = allCoverages[at] ?? 0
    const place = starts[coverage] ?? 0
    starts[coverage] = place + 1
    rows[place] = all[at] ?? 0
    coverages[place] = coverage
  }
  return { rows, coverages }
}

const isCoverage = (coverage: number): coverage is Coverage =>
  coverage === 1 || coverage === 2 || coverage === 0

/**
 * Ranks with wink, and scores the first rows again: its scores are those of the collection that it was built
 * from, from which the order of now differs little.
 */
const rankRows = (state: WinkState, question: PartQuestion): Ranking => {
  const { limit } = question
  const { rows, coverages } = findRows(state, question)
  const score = scoreRows(state, question)
  const seen = new Uint8Array(state.rowsOf.size)
  const hits: Array<RankedHit> = []
  const scoredMax = Math.max(64, 3 * limit)
  let total = 0
  for (const [at, row] of rows.entries()) {
    const coverage = coverages[at] ?? 0
    if ((at < scoredMax || total < limit) && isCoverage(coverage)) {
      const hit = score(row, coverage)
      if (hit !== null) hits.push(hit)
    }
    const source = state.sourceOf[row] ?? 0
    if (seen[source] === 1) continue
    seen[source] = 1
    total += 1
  }
  return {
    hits: bestOfSources(hits.sort(byCoverageAndScore)).slice(0, limit),
    total,
    totalIsLowerBound: false,
  }
}

/** The main part over an imported wink. `heads` is in the order of its rows. Throws where the export is broken. */
export const winkPart = (saved: SavedWink, heads: ReadonlyArray<DocumentHead>): IndexPart => {
  const state = openWinkState(saved, heads)
  return {
    size: () => ({ ...state.size }),
    frequencyOf: word => {
      const place = placeOfWord(state, word)
      return (saved.frequencies[place] ?? 0) - (state.lost.get(place) ?? 0)
    },
    drop: source => dropWinkRows(state, source),
    rank: question => rankRows(state, question),
  }
}
