import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { chanceOf } from '#src/demo/chance.js'
import { drawQuery, queryOfEachKind } from './queries.js'
import { resolveQueries } from './resolve-queries.js'

describe('hostile queries of names', () => {
  it('are answered in bounded processor time, every kind of them', () => {
    deepEqual(resolveQueries({ seed: 'testy' }, 600), [])
  })

  it('are the same for the same seed, and of all kinds', () => {
    const names = ['Kupiec Orrin']
    const draw = () => {
      const chance = chanceOf('ziarno')
      return Array.from({ length: 50 }, () => drawQuery(chance, names))
    }
    deepEqual(draw(), draw())
    const kinds = queryOfEachKind(chanceOf('ziarno'), names).map(({ kind }) => kind)
    equal(new Set(kinds).size, kinds.length)
    for (const kind of ['control characters', 'stopwords alone', 'lone surrogates', '100 KB of one letter'])
      equal(kinds.includes(kind), true, kind)
  })
})
