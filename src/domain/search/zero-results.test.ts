import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import {
  addMiss,
  keptWords,
  type Misses,
  missesFor,
  missesMax,
  missKey,
  noMisses,
  solveMiss,
} from './zero-results.js'

const at = '2026-06-15T12:00:00.000Z'

describe('the queries that found nothing', () => {
  it('keep their words without credentials, long numbers and control characters', () => {
    equal(keptWords('Orrin  numer 123456 i 12345'), 'Orrin numer [redacted] i 12345')
    equal(keptWords('apik_tajne\u0000\nsłowo'), 'apik_[redacted] słowo')
    equal(keptWords('\ud800x').isWellFormed(), true)
    equal(keptWords('x'.repeat(1000)).length, 200)
  })

  it('count a query again whatever its case, and not one in other tiers', () => {
    const misses = [
      ['Orrin', 'lore'],
      ['ORRIN', 'lore'],
      ['Orrin', 'session'],
    ].reduce<Misses>(
      (before, [query = '', tier]) => addMiss(before, query, [tier === 'lore' ? 'lore' : 'session'], at),
      noMisses,
    )
    deepEqual(
      [...misses.values()].map(({ tiers, count }) => [tiers, count]),
      [
        [['lore'], 2],
        [['session'], 1],
      ],
    )
  })

  it('are dropped from the set of tiers that has most, those asked once first', () => {
    let misses = addMiss(noMisses, 'z obu drzew', ['lore', 'external'], at)
    misses = addMiss(addMiss(misses, 'dwa razy', ['lore'], at), 'dwa razy', ['lore'], at)
    for (let nth = 0; nth < missesMax + 50; nth += 1) misses = addMiss(misses, `zalew ${nth}`, ['lore'], at)
    equal(misses.size, missesMax)
    ok(misses.has(missKey('z obu drzew', ['lore', 'external'])))
    ok(misses.has(missKey('dwa razy', ['lore'])))
    ok(!misses.has(missKey('zalew 0', ['lore'])))
  })

  it('are shown to a caller who may search all of their tiers', () => {
    const misses = addMiss(addMiss(noMisses, 'a', ['lore'], at), 'b', ['lore', 'session'], at)
    deepEqual(
      missesFor(misses, ['lore']).map(({ query }) => query),
      ['a'],
    )
    deepEqual(
      missesFor(misses, ['lore', 'session']).map(({ query }) => query),
      ['b', 'a'],
    )
  })

  it('name the commit since which they find something, until they are missed again', () => {
    const key = missKey('most', ['lore'])
    const solved = solveMiss(addMiss(noMisses, 'most', ['lore'], at), key, 'abc')
    equal(solved.get(key)?.solvedBy, 'abc')
    equal(solveMiss(solved, key, 'def'), solved)
    equal(addMiss(solved, 'most', ['lore'], at).get(key)?.solvedBy, null)
  })
})
