import type { DayRange, DocumentHead } from './document.js'

/** Which documents may be hits; null: no bound. */
export interface RankFilter {
  readonly kinds: ReadonlyArray<string> | null
  readonly diegesis: ReadonlyArray<string> | null
  /** Admits documents whose days overlap the range; either end may be open. */
  readonly days: Partial<DayRange> | null
  readonly visibilities: ReadonlyArray<string> | null
}

export const anyDocument: RankFilter = { kinds: null, diegesis: null, days: null, visibilities: null }

export interface RankQuestion {
  /** Reduced words; a document that has any of them is a match. A repeated word counts once. */
  readonly terms: ReadonlyArray<string>
  /**
   * For each term, the words of the query that it stands for, as bits: documents with all words rank first. Null:
   * by score alone.
   */
  readonly covers: ReadonlyArray<number> | null
  readonly filter: RankFilter
  /** How many of the best hits are left out of the answer. */
  readonly offset: number
  /** How many hits are returned at most, from `offset` on. With 0 the answer has only the total. */
  readonly limit: number
}

/** A query has no more words than this; the others are ignored. */
export const queryTermsMax = 64

/** No hit behind this many is returned. */
export const rankLimitMax = 10_000

export interface RankedHit extends RankedDocument {
  readonly document: DocumentHead
}

/** Hits by coverage, then by score; equal ones are in the order of their ids. */
export interface Ranking {
  readonly hits: ReadonlyArray<RankedHit>
  /** How many sources match. */
  readonly total: number
  readonly totalIsLowerBound: boolean
}

/** Ranks the documents of one index. */
export interface RankingPort {
  readonly rank: (question: RankQuestion) => Ranking
}

/** BM25 as wink-bm25-text-search computes it, for documents of one field. */

/** The sizes that BM25 depends on beside the words of a query. */
export interface CollectionSize {
  readonly documents: number
  /** The words of all documents together, each as often as it occurs. */
  readonly words: number
}

export const averageLengthOf = ({ documents, words }: CollectionSize): number =>
  documents === 0 || words === 0 ? 1 : words / documents

/** The weight of a word that `having` of `documents` documents have; always above 0. */
export const idfOf = (documents: number, having: number): number =>
  Math.log((Math.max(documents - having, 0) + 0.5) / (having + 0.5) + 1)

/** The share of a word's idf that a document gets which has it `count` times. */
export const saturate = (count: number, length: number, averageLength: number): number =>
  (count * (saturation + 1)) / (saturation * normOf(length, averageLength) + count)

/** The inverse of `saturate`: how often the document has the word. */
export const countOf = (share: number, length: number, averageLength: number): number =>
  Math.max(1, Math.round((share * saturation * normOf(length, averageLength)) / (saturation + 1 - share)))

/** Orders hits: by coverage, then by score, the best first, equal ones by id. */
export const byBestHit = (one: RankedDocument, other: RankedDocument): number =>
  other.coverage - one.coverage ||
  other.score - one.score ||
  (one.id < other.id ? -1 : one.id > other.id ? 1 : 0)

/** Joins the rankings of two parts of a collection that share no source. */
export const joinRankings = (one: Ranking, other: Ranking, limit: number): Ranking => {
  if (other.total === 0 && one.hits.length <= limit) return one
  return {
    hits: [...one.hits, ...other.hits].sort(byBestHit).slice(0, limit),
    total: one.total + other.total,
    totalIsLowerBound: one.totalIsLowerBound || other.totalIsLowerBound,
  }
}

/** What a filter looks at, beside the days. */
export type Facet = Pick<DocumentHead, 'kind' | 'diegesis' | 'visibility'>

export const admitsFacet = ({ kinds, diegesis, visibilities }: RankFilter, facet: Facet): boolean =>
  isListed(kinds, facet.kind) &&
  isListed(diegesis, facet.diegesis) &&
  isListed(visibilities, facet.visibility)

export const admitsDocument = (filter: RankFilter, head: DocumentHead): boolean =>
  admitsFacet(filter, head) && admitsDays(filter, head.day)

/** Whether the filter admits every document. */
export const isOpenFilter = ({ kinds, diegesis, days, visibilities }: RankFilter): boolean =>
  kinds === null && diegesis === null && days === null && visibilities === null

/**
 * How much of a query a document has, its words as bits: 2, the document has every word that the tier has; 1, the
 * documents of its source have them together; 0, else. A higher coverage ranks before a lower one.
 */
export type Coverage = 0 | 1 | 2

/** The words that a question asks for in one index. */
export interface AskedWords {
  /** For each term, the words of the query that it stands for. */
  readonly ofTerm: ReadonlyArray<number>
  /** Those of all terms that the index has. */
  readonly all: number
}

/** The words to ask for, where `frequencies` says how many documents have each term. */
export const makeAskedWords = (
  ofTerm: ReadonlyArray<number>,
  frequencies: ReadonlyArray<number>,
): AskedWords => ({
  ofTerm,
  all: ofTerm.reduce((all, words, at) => ((frequencies[at] ?? 0) > 0 ? all | words : all), 0),
})

export const coverageOf = ({ all }: AskedWords, inDocument: number, inSource: number): Coverage =>
  (inDocument & all) === all ? 2 : (inSource & all) === all ? 1 : 0

/** The best document of a source. */
interface RankedDocument {
  readonly id: string
  /** BM25, comparable within the tier. */
  readonly score: number
  readonly coverage: Coverage
  /** The words of the question that the document has, as places in `terms`. */
  readonly matched: ReadonlyArray<number>
}

const saturation = 1.2
const lengthShare = 0.75

const normOf = (length: number, averageLength: number): number =>
  1 - lengthShare + lengthShare * (length / averageLength)

const isListed = (list: ReadonlyArray<string> | null, value: string | null): boolean =>
  list === null || (value !== null && list.includes(value))

/** Whether a filter admits days; a filter with a bound admits no undated document. */
const admitsDays = ({ days }: RankFilter, day: DocumentHead['day']): boolean =>
  days === null ||
  (day !== null &&
    (days.from === undefined || day.to >= days.from) &&
    (days.to === undefined || day.from <= days.to))
