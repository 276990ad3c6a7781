import type { RankedDocument, Ranking } from './ranking.js'

/** Orders hits: by coverage, then by score, the best first, equal ones by id. */
export const byCoverageAndScore = (one: RankedDocument, other: RankedDocument): number =>
  other.coverage - one.coverage ||
  other.score - one.score ||
  (one.id < other.id ? -1 : one.id > other.id ? 1 : 0)

/** Joins the rankings of two parts of a collection that share no source. */
export const joinRankings = (one: Ranking, other: Ranking, limit: number): Ranking => {
  if (other.total === 0 && one.hits.length <= limit) return one
  return {
    hits: [...one.hits, ...other.hits].sort(byCoverageAndScore).slice(0, limit),
    total: one.total + other.total,
    totalIsLowerBound: one.totalIsLowerBound || other.totalIsLowerBound,
  }
}
