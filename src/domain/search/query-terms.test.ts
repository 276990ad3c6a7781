import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { buildSnapshot } from '#src/snapshot/build.js'
import { inputsOf } from '#test/support/world.js'
import { queryKnowledgeOf, queryTermsInSlices } from './query.js'
import { reduceWord } from './reduce-word.js'

const entities =
  '### Kupiec Orrin\n- @typ: NPC\n- @alias: Kruk\n### Solmyr\n- @typ: NPC\n- @alias: Biały Mag\n'

describe('the terms of a query', () => {
  const { snapshot } = buildSnapshot(inputsOf({ 'encje/ludzie.md': entities }), null)
  const knowledge = queryKnowledgeOf(snapshot)
  const coversOf = (query: string) => {
    const covers = new Map(atOnce(queryTermsInSlices(query, knowledge)).map(term => [term.key, term.covers]))
    return (...words: ReadonlyArray<string>) => words.map(word => covers.get(reduceWord(word)) ?? null)
  }

  it('stand for the words of the query that they come from', () => {
    deepEqual(coversOf('mostem i wieży')('most', 'i', 'wieża'), [1, null, 4])
    deepEqual(coversOf('most mostu')('most'), [3])
    deepEqual(coversOf('kupca Orrina')('kupiec', 'orrin'), [1, 2])
  })

  it('of the heading of an alias stand for it where the heading is one word or has as many', () => {
    deepEqual(coversOf('białego maga')('biały', 'mag', 'solmyr'), [1, 2, 3])
    deepEqual(coversOf('kruka')('kruk', 'kupiec', 'orrin'), [1, 0, 0])
  })

  it('of a name that is meant by one of its words are those of that word', () => {
    const { snapshot: mills } = buildSnapshot(
      inputsOf({ 'encje/miejsca.md': '### Młyn Popielatej Kotwicy\n- @typ: Lokacja\n' }),
      null,
    )
    const keysIn = (query: string) =>
      atOnce(queryTermsInSlices(query, queryKnowledgeOf(mills))).map(({ key }) => key)
    const others = ['popielata', 'kotwica'].map(reduceWord)
    for (const query of ['młyn', 'młynem']) {
      equal(keysIn(query).includes(reduceWord('młyn')), true)
      deepEqual(
        others.filter(key => keysIn(query).includes(key)),
        [],
      )
    }
    deepEqual(
      others.filter(key => keysIn('Młynie Popielatej Kotwicy').includes(key)),
      others,
    )
  })

  it('have room for the words that a number has bits for', () => {
    const words = Array.from({ length: 40 }, (_, at) => `miasto${at}`)
    const terms = atOnce(queryTermsInSlices(words.join(' '), knowledge))
    equal(new Set(terms.map(({ covers }) => covers)).size, 32)
  })

  it('resolve one run of words in a turn, and equal runs once', () => {
    const asked: Array<string> = []
    const counting = {
      ...knowledge,
      resolve: (text: string) => {
        asked.push(text)
        return knowledge.resolve(text)
      },
    }
    const work = queryTermsInSlices('Orrin Orrin Orrin spotkał Kruka', counting)
    for (let before = 0; work.next().done !== true; before = asked.length) equal(asked.length - before, 1)
    equal(new Set(asked).size, asked.length)
  })
})
