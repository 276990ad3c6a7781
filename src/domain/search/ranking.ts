import type { Coverage } from './coverage.js'
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

/** The best document of a source. */
export interface RankedDocument {
  readonly id: string
  /** BM25, comparable within the tier. */
  readonly score: number
  readonly coverage: Coverage
  /** The words of the question that the document has, as places in `terms`. */
  readonly matched: ReadonlyArray<number>
}

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
