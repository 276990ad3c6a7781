import type { Tier } from '#protocol/atoms.js'
import type { SearchPage } from '#protocol/search.js'
import type { QueryTerm, SearchQuery } from '#src/domain/search/query.js'
import { type RankQuestion, rankLimitMax } from '#src/domain/search/ranking.js'
import {
  type RankAnswer,
  type SearchAsker,
  type SkippedTier,
  type TierRanking,
  type TierWindow,
  windowsOfPage,
} from '#src/domain/search/search-page.js'

/** What the tiers found: the hits of one page, and how many sources match in all. */
export interface RankedTiers {
  readonly rankings: ReadonlyArray<TierRanking>
  readonly failed: ReadonlyArray<SkippedTier>
  readonly total: number
  readonly isLowerBound: boolean
}

interface Answered {
  readonly tier: Tier
  readonly offset: number
  readonly answer: RankAnswer
}

type Ranker = Pick<SearchAsker, 'rank'>
type WindowedQuestion = Omit<RankQuestion, 'offset' | 'limit'>

const askWindow = async (
  asker: Ranker,
  question: WindowedQuestion,
  { tier, offset, limit }: TierWindow,
): Promise<Answered> => ({ tier, offset, answer: await asker.rank(tier, { ...question, offset, limit }) })

/**
 * Asks the tiers for a page that is not the first: for their totals, then each tier that has hits on the page for
 * these hits alone, because every hit that a thread posts costs the thread that asks.
 */
const askLaterPage = async (
  asker: Ranker,
  question: WindowedQuestion,
  { offset, limit }: SearchQuery,
  searched: SearchPage['Searched'],
): Promise<ReadonlyArray<Answered>> => {
  const counted = await Promise.all(
    searched.map(tier => askWindow(asker, question, { tier, offset: 0, limit: 0 })),
  )
  const counts = counted.map(({ tier, answer }) => ({
    tier,
    count: answer._tag === 'Ranked' ? Math.min(rankLimitMax, answer.total) : 0,
  }))
  const windows = new Map(windowsOfPage(counts, offset, limit).map(one => [one.tier, one]))
  return Promise.all(
    counted.map(async one => {
      const window = windows.get(one.tier)
      return window === undefined || window.limit === 0 ? one : await askWindow(asker, question, window)
    }),
  )
}

/** Asks the tiers for the hits of one page. Tiers that give no ranking are listed as failed. */
export const rankTiers = async (
  asker: Ranker,
  query: SearchQuery,
  searched: SearchPage['Searched'],
  terms: ReadonlyArray<QueryTerm>,
): Promise<RankedTiers> => {
  const question = {
    terms: terms.map(({ key }) => key),
    covers: terms.map(({ covers }) => covers),
    filter: query.filter,
  }
  const { offset, limit } = query
  const answers =
    offset === 0
      ? await Promise.all(searched.map(tier => askWindow(asker, question, { tier, offset, limit })))
      : await askLaterPage(asker, question, query, searched)
  const rankings: Array<TierRanking> = []
  const failed: Array<SkippedTier> = []
  let [total, isLowerBound] = [0, false]
  for (const { tier, offset: from, answer } of answers)
    if (answer._tag === 'Ranked') {
      rankings.push({ tier, offset: from, hits: answer.hits })
      total += answer.total
      isLowerBound ||= answer.totalIsLowerBound
    } else failed.push({ tier, reason: answer._tag === 'Failed' ? 'failed' : 'starting' })
  return { rankings, failed, total, isLowerBound }
}
