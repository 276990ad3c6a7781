import { join } from 'node:path'
import type { Tier } from '#protocol/atoms.js'
import type { DocumentHead } from '#src/domain/search/document.js'
import {
  admitsDocument,
  byBestHit,
  type Coverage,
  countOf,
  coverageOf,
  isOpenFilter,
  type RankedHit,
  type RankFilter,
  type Ranking,
  saturate,
} from '#src/domain/search/ranking.js'
import { openSqlite } from '../runtime/sqlite.js'
import { type IndexPart, type PartQuestion, type TierIndex, tierIndex } from './build-index.js'
import { fts5Part } from './fts5-engine.js'
import { readVersions } from './row-facts.js'
import { type FoundIndex, findIndex, type SavedHead } from './saved-index.js'
import {
  dropWinkRows,
  idfThenOf,
  openWinkState,
  placeOfWord,
  rowsWithWord,
  type SavedWink,
  type WinkState,
} from './wink-engine.js'
import { readPacked, readWinkFile, type WinkFile } from './wink-file.js'

export interface OpenedIndex {
  readonly _tag: 'Opened'
  readonly head: SavedHead
  readonly index: TierIndex
  readonly versions: WinkFile['versions']
}

/** Opens the saved index of a tier. A file that cannot be read is a value; nothing is thrown. */
export const openIndex = (
  folder: string,
  tier: Tier,
): OpenedIndex | Exclude<FoundIndex, { readonly _tag: 'Saved' }> => {
  const found = findIndex(folder, tier, true)
  if (found._tag !== 'Saved') return found
  const { head } = found
  try {
    const path = join(folder, head.file)
    return head.engine === 'wink' ? openWink(head, path) : openFts5(head, path)
  } catch (error) {
    return { _tag: 'Unusable', reason: error instanceof Error ? error.message : String(error) }
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

const emptyPart: IndexPart = {
  size: () => ({ documents: 0, words: 0 }),
  frequencyOf: () => 0,
  rank: () => ({ hits: [], total: 0, totalIsLowerBound: false }),
  drop: () => 0,
}

const openWink = (head: SavedHead, path: string): OpenedIndex => {
  const { saved, heads, versions } = readWinkFile(path, head.sections)
  const index =
    saved === null ? tierIndex(emptyPart, readPacked(path, head.sections)) : tierIndex(winkPart(saved, heads))
  return { _tag: 'Opened', head, index, versions }
}

const openFts5 = (head: SavedHead, path: string): OpenedIndex => {
  const sqlite = openSqlite(path, 0, 'read')
  return { _tag: 'Opened', head, index: tierIndex(fts5Part(sqlite)), versions: readVersions(sqlite) }
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

/** The rows of a collection that have a word of the question. */
interface WinkMatches {
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

const matchRows = (state: WinkState, { words, asked, filter }: PartQuestion): WinkMatches => {
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
const leastCoverage = (
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
