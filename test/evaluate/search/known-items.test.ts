import { deepEqual, equal, ok } from 'node:assert/strict'
import { chanceOf } from '#src/demo/chance.js'
import { masculine } from '#src/demo/names/grammar.js'
import { openFts5Baseline } from './fts5-baseline.js'
import { drawKnownItems, meanReciprocalRank } from './known-items.js'
import { oracleWords } from './oracle-words.js'

const oracle = oracleWords([[masculine('Radowid', 'person')], [masculine('Kupiec', 'person')]])

const texts = [
  { id: 'a', text: 'Radowid zobaczył kupca na drodze.' },
  { id: 'b', text: 'Radowid stanął na drodze.' },
  { id: 'c', text: 'Kupiec stanął na drodze.' },
  { id: 'd', text: 'Nic, co ktoś odmienia.' },
]

describe('the known items of the search table', () => {
  const items = drawKnownItems(texts, oracle, { count: 10, shareMax: 1 }, chanceOf('próba'))

  it('are words that one text alone has together, in forms that it does not have', () => {
    const lemmasOf = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
      words.flatMap(word => [...(oracle.lemmasOf.get(word) ?? [])]).sort()
    ok(items.some(({ id }) => id === 'a'))
    for (const { id, words } of items) {
      const text = texts.find(one => one.id === id)?.text.toLowerCase() ?? ''
      for (const word of words) ok(!text.includes(word), word)
      if (id === 'a') ok(lemmasOf(words).some(lemma => ['kupiec', 'radowid', 'zobaczył'].includes(lemma)))
    }
    ok(items.every(({ id }) => id !== 'd'))
  })

  it('are the same for the same draws', () => {
    deepEqual(drawKnownItems(texts, oracle, { count: 10, shareMax: 1 }, chanceOf('próba')), items)
  })

  it('are scored by their place among the first ten', () => {
    equal(meanReciprocalRank([1, 2, null, 11]), 0.375)
    equal(meanReciprocalRank([]), 0)
  })
})

describe('the FTS5 baseline', () => {
  it('finds words as they are written, with diacritics or without, by any of them', () => {
    const baseline = openFts5Baseline(texts)
    try {
      deepEqual(baseline.search(['drodze', 'kupca'])[0], 'a')
      deepEqual(baseline.search(['ktos']), ['d'])
      deepEqual(baseline.search(['kupcem']), [])
    } finally {
      baseline.close()
    }
  })
})
