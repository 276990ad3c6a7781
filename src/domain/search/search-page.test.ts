import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { Tier } from '#protocol/atoms.js'
import { testDocument } from '#test/support/search/documents.js'
import type { RankedHit } from './ranking.js'
import { mergeHits, windowsOfPage } from './search-page.js'

const hitAt = (tier: Tier, at: number): RankedHit => {
  const { terms: _, ...document } = testDocument(`${tier} ${at}`, 'most')
  return { id: document.id, score: 1, coverage: 2, matched: [], document }
}

/** The ids of the merged list, by taking the next hit of each tier in turn. */
const listMergedIds = (counts: ReadonlyArray<readonly [Tier, number]>): ReadonlyArray<string> =>
  Array.from({ length: 40 }, (_, at) =>
    counts.flatMap(([tier, count]) => (at < count ? [`${tier} ${at}`] : [])),
  ).flat()

describe('a page of the hits of several tiers', () => {
  it('needs of each tier only the hits that it shows', () => {
    for (const [lore, session, external, speech] of [
      [7, 0, 3, 12],
      [0, 0, 0, 0],
      [1, 30, 2, 30],
      [5, 5, 5, 5],
      [20, 0, 0, 0],
    ] as const) {
      const lengths = [
        ['lore', lore],
        ['session', session],
        ['external', external],
        ['speech', speech],
      ] as const
      const whole = listMergedIds(lengths)
      const counts = lengths.map(([tier, count]) => ({ tier, count }))
      for (let offset = 0; offset <= whole.length + 2; offset += 1)
        for (const limit of [1, 2, 5, 100]) {
          const windows = windowsOfPage(counts, offset, limit)
          const rankings = windows.map(one => ({
            ...one,
            hits: Array.from({ length: one.limit }, (_, at) => hitAt(one.tier, one.offset + at)),
          }))
          const asked = windows.reduce((sum, one) => sum + one.limit, 0)
          const expected = whole.slice(offset, offset + limit)
          deepEqual([mergeHits(rankings, limit).map(({ id }) => id), asked], [expected, expected.length])
        }
    }
  })
})
