import type { DocumentHead } from '#src/domain/search/document.js'
import {
  byBestHit,
  type Coverage,
  countOf,
  type RankedHit,
  type Ranking,
  saturate,
} from '#src/domain/search/ranking.js'
import type { IndexPart, PartQuestion } from './index-part.js'
import { leastCoverage, matchRows } from './wink-matches.js'
import {
  dropWinkRows,
  idfThenOf,
  openWinkState,
  placeOfWord,
  type SavedWink,
  type WinkState,
} from './wink-state.js'

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

const bestOfSources = (hits: ReadonlyArray<RankedHit>): ReadonlyArray<RankedHit> => {
  const seen = new Set<string>()
  return hits.filter(({ document: { source } }) => {
    if (seen.has(source)) return false
    seen.add(source)
    return true
  })
}

/** The rows in the order of the scores of wink. */
const orderRows = (
  state: WinkState,
  { words }: PartQuestion,
  rows: ReadonlyArray<number>,
): ReadonlyArray<number> => {
  const isWanted = new Uint8Array(state.heads.length)
  for (const row of rows) isWanted[row] = 1
  const found = state.wink.search(words.join(' '), Number.POSITIVE_INFINITY, ({ row }) => isWanted[row] === 1)
  return found.map(([id]) => Number(id))
}

/**
 * Ranks with wink, and scores the first rows again: its scores are those of the collection that it was built
 * from, from which the order of now differs little. Few rows are all scored, and need no order before that.
 */
const rankRows = (state: WinkState, question: PartQuestion): Ranking => {
  const { limit } = question
  const scoredMin = Math.max(64, 3 * limit)
  const matches = matchRows(state, question)
  if (limit === 0) return { hits: [], total: matches.sources, totalIsLowerBound: false }
  const least = leastCoverage(state, matches, limit)
  const wanted = matches.rows.filter(row => (matches.coverages[row] ?? 0) >= least)
  const ordered = wanted.length <= scoredMin ? wanted : orderRows(state, question, wanted)
  const score = scoreRows(state, question)
  const seen = new Uint8Array(state.rowsOf.size)
  const hits: Array<RankedHit> = []
  let [scored, sources] = [0, 0]
  for (const coverage of [2, 1, 0] as const)
    for (const row of ordered) {
      if (scored >= scoredMin && sources >= limit) break
      if (matches.coverages[row] !== coverage) continue
      scored += 1
      const hit = score(row, coverage)
      if (hit !== null) hits.push(hit)
      const source = state.sourceOf[row] ?? 0
      if (seen[source] === 0) sources += 1
      seen[source] = 1
    }
  return {
    hits: bestOfSources(hits.sort(byBestHit)).slice(0, limit),
    total: matches.sources,
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
      return (state.sums.frequencies[place] ?? 0) - (state.lost.get(place) ?? 0)
    },
    drop: source => dropWinkRows(state, source),
    rank: question => rankRows(state, question),
  }
}
