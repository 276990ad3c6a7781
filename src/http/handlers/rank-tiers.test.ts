import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { Tier } from '#protocol/atoms.js'
import type { SearchQuery } from '#src/domain/search/query.js'
import { anyDocument, type RankedHit, rankLimitMax } from '#src/domain/search/ranking.js'
import { mergeHits, type RankAnswer, type SearchAsker } from '#src/domain/search/search-page.js'
import { testDocument } from '#test/support/search/documents.js'
import { rankTiers } from './search.js'

const totals: Readonly<Record<Tier, number>> = { lore: 25_000, session: 7, speech: 0, external: 3 }
const searched: ReadonlyArray<Tier> = ['lore', 'session', 'speech', 'external']

const hitAt = (tier: Tier, at: number): RankedHit => {
  const { terms: _, ...document } = testDocument(`${tier} ${at}`, 'most')
  return { id: document.id, score: 1, coverage: 2, matched: [], document }
}

/** Tiers that count the hits that they post. `late` fails every question. */
const makeCountingAsker = (late: Tier | null = null) => {
  const counts = { asked: 0, posted: 0 }
  const asker: Pick<SearchAsker, 'rank'> = {
    rank: (tier, { offset, limit }): Promise<RankAnswer> => {
      counts.asked += 1
      if (tier === late) return Promise.resolve({ _tag: 'Failed', reason: 'late' })
      const end = Math.min(totals[tier], rankLimitMax, offset + limit)
      const hits = Array.from({ length: Math.max(0, end - offset) }, (_, at) => hitAt(tier, offset + at))
      counts.posted += hits.length
      const total = totals[tier]
      return Promise.resolve({ _tag: 'Ranked', stamp: '', hits, total, totalIsLowerBound: false })
    },
  }
  return { asker, counts }
}

const queryOf = (offset: number, limit: number): SearchQuery => ({
  text: 'most',
  scope: { text: 'all', tiers: searched, isNamed: false },
  filter: anyDocument,
  offset,
  limit,
})

const pageAt = async (offset: number, limit: number, late: Tier | null = null) => {
  const { asker, counts } = makeCountingAsker(late)
  const { rankings, failed, total } = await rankTiers(asker, queryOf(offset, limit), searched, [])
  return { ids: mergeHits(rankings, limit).map(({ id }) => id), failed, total, ...counts }
}

describe('a page of several tiers', () => {
  it('has the hits that follow those of the page before', async () => {
    const { ids } = await pageAt(0, 100)
    for (let offset = 1; offset < 40; offset += 1)
      deepEqual((await pageAt(offset, 5)).ids, ids.slice(offset, offset + 5))
    deepEqual((await pageAt(rankLimitMax + 9, 5)).ids, [`lore ${rankLimitMax - 1}`])
  })

  it('asks the tiers for no hit that it does not show', async () => {
    equal((await pageAt(9_000, 20)).posted, 20)
    equal((await pageAt(30, 100)).posted, 100)
  })

  it('asks behind the end for the totals alone', async () => {
    for (const offset of [rankLimitMax + 10, 1_000_000]) {
      const { ids, total, asked, posted } = await pageAt(offset, 20)
      deepEqual([ids, total, asked, posted], [[], 25_010, 4, 0])
    }
  })

  it('lists a tier that gives no ranking', async () => {
    const { ids, failed } = await pageAt(2, 3, 'lore')
    deepEqual(failed, [{ tier: 'lore', reason: 'failed' }])
    deepEqual(ids, ['session 1', 'external 1', 'session 2'])
  })
})
