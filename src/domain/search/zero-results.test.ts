import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { tiers } from '#protocol/atoms.js'
import { contractWorld } from '#test/support/contract-world.js'
import {
  addMiss,
  cleanWords,
  type Misses,
  missesFor,
  missesMax,
  missKey,
  noMisses,
  solveMiss,
} from './zero-results.js'

const { day } = contractWorld()
const at = { day, person: 'Brzoza' }
const everybody = { tiers, seesAll: true, person: null }

describe('the queries that found nothing', () => {
  it('keep their words without credentials, long numbers and control characters', () => {
    equal(cleanWords('Orrin  numer 123456 i 12345'), 'Orrin numer [redacted] i 12345')
    equal(cleanWords('apik_tajne\u0000\nsłowo'), 'apik_[redacted] słowo')
    equal(cleanWords('\ud800x').isWellFormed(), true)
    equal(cleanWords('x'.repeat(1000)).length, 200)
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
      missesFor(misses, { ...everybody, tiers: ['lore'] }).map(({ query }) => query),
      ['a'],
    )
    deepEqual(
      missesFor(misses, { ...everybody, tiers: ['lore', 'session'] }).map(({ query }) => query),
      ['b', 'a'],
    )
  })

  it('are shown to the one who asked, and to others once two people did; bots are no people', () => {
    const shownTo = (misses: Misses, person: string | null) =>
      missesFor(misses, { ...everybody, seesAll: false, person }).map(({ query }) => query)
    const askedBy = (...people: ReadonlyArray<string | null>) =>
      people.reduce<Misses>((misses, person) => addMiss(misses, 'Cis', ['lore'], { day, person }), noMisses)
    for (const one of [askedBy('Brzoza', 'Brzoza', null), askedBy(null, 'Brzoza')]) {
      deepEqual(shownTo(one, 'Brzoza'), ['Cis'])
      for (const other of ['Jodła', '', null]) deepEqual(shownTo(one, other), [])
    }
    for (const other of ['Brzoza', null]) deepEqual(shownTo(askedBy(null, null), other), [])
    for (const common of [askedBy('Brzoza', 'Jodła'), askedBy('Brzoza', null, 'Jodła', 'Brzoza', null)])
      for (const other of ['Cis', null]) deepEqual(shownTo(common, other), ['Cis'])
    deepEqual(
      missesFor(askedBy('Brzoza'), everybody).map(({ query }) => query),
      ['Cis'],
    )
    equal(JSON.stringify([...askedBy('Brzoza')]).includes('Brzoza'), false)
  })

  it('have no restricted topics', () => {
    equal(cleanWords('tematy zastrzeżone: pająki'), '')
    equal(addMiss(noMisses, 'Tematy zastrzeżone: pająki', ['lore'], at), noMisses)
    equal(cleanWords('Brzoza\n@tematy: pająki'), 'Brzoza')
  })

  it('name the commit since which they find something, until they are missed again', () => {
    const key = missKey('most', ['lore'])
    const solved = solveMiss(addMiss(noMisses, 'most', ['lore'], at), key, 'abc')
    equal(solved.get(key)?.solvedBy, 'abc')
    equal(solveMiss(solved, key, 'def'), solved)
    equal(addMiss(solved, 'most', ['lore'], at).get(key)?.solvedBy, null)
  })
})
