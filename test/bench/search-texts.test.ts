import { deepEqual, equal, ok } from 'node:assert/strict'
import { chanceOf } from '#src/demo/chance.js'
import { drawQueries, linesOfProse, rankWords } from './search-texts.js'

describe('the queries of the bench', () => {
  it('rank words by how many texts have them', () => {
    deepEqual(rankWords(['Most i most, brama', 'Brama na wzgórzu', 'Brama']), ['brama', 'most', 'wzgórzu'])
  })

  it('are of one, two and three words in turns, and draw low ranks as often as high ones', () => {
    const ranked = Array.from({ length: 10_000 }, (_, at) => `w${at}`)
    const queries = drawQueries(ranked, 3000, chanceOf('próba'))
    deepEqual(
      queries.slice(0, 4).map(query => query.split(' ').length),
      [1, 2, 3, 1],
    )
    const ranks = queries.flatMap(query => query.split(' ').map(word => Number(word.slice(1)) + 1))
    const share = (from: number, to: number): number =>
      ranks.filter(rank => rank >= from && rank < to).length / ranks.length
    for (const [from, to] of [
      [1, 10],
      [10, 100],
      [100, 1000],
      [1000, 10_000],
    ] as const)
      ok(Math.abs(share(from, to) - 0.25) < 0.04)
    deepEqual(drawQueries(ranked, 3000, chanceOf('próba')), queries)
  })

  it('search in lines that are the clauses of prose', () => {
    const lines = [...linesOfProse(['Przyszła noc, a z nią cisza. Nic.\nTrzeci dzień: deszcz pada'])]
    deepEqual(lines, ['Przyszła noc', 'a z nią cisza', 'Trzeci dzień', 'deszcz pada'])
    equal(lines.length, 4)
  })
})
