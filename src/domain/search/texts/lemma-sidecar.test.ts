import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { termsOf } from './documents.js'
import { annotationTarget, bytesOfText, hashInSlices, offsetsOfTable, readSidecar } from './lemma-sidecar.js'

const text = 'Ludzie wracali. Nocą Orrin szedł z psami Orrina.'
const sha256 = atOnce(hashInSlices(bytesOfText({ text })))
const at = (word: string): number => text.indexOf(word)
const json = (lemmas: ReadonlyArray<readonly [number, number, string]>, hash = sha256): string =>
  JSON.stringify({ sha256: hash, lemmas })

const read = (text: string, of: string, hash = sha256, lemmasMax = 10) =>
  atOnce(readSidecar(of, { text, sha256: hash }, lemmasMax))

describe('a sidecar of lemmas', () => {
  it('states lemmas of words by their place, and of ordinary words by their form', () => {
    const sidecar = read(
      text,
      json([
        [at('psami'), at('psami') + 5, 'pies'],
        [at('Orrina'), at('Orrina') + 6, 'Orrin'],
        [9, 3, 'odwrotnie'],
      ]),
    )
    if (sidecar._tag !== 'Read') throw new Error(sidecar._tag)
    const starts = Array.from(text).flatMap((_, start) =>
      offsetsOfTable(sidecar.offsets).get(start) === undefined ? [] : [start],
    )
    deepEqual(starts, [at('psami'), at('Orrina')])
    equal(offsetsOfTable(sidecar.offsets).get(at('psami')), 'pies')
    equal(Buffer.from(sidecar.forms).toString(), 'psami\tpies\n')
  })

  it('may list words in any order, and the last of two lemmas of a word counts', () => {
    const sidecar = read(
      text,
      json([
        [20, 25, 'b'],
        [3, 5, 'a'],
        [20, 25, 'c'],
        [0, 2, 'd'],
      ]),
    )
    if (sidecar._tag !== 'Read') throw new Error(sidecar._tag)
    deepEqual(
      [0, 3, 20, 21].map(start => offsetsOfTable(sidecar.offsets).get(start)),
      ['d', 'a', 'c', undefined],
    )
  })

  it('is outdated once the text differs, and unreadable where it is no such object', () => {
    equal(read(text, json([], 'f'.repeat(64)))._tag, 'Outdated')
    for (const bad of ['', '[]', '{"sha256": 1}', '{"sha256": "x", "lemmas": 1}'])
      equal(read(text, bad)._tag, 'Unreadable')
    equal(read(text, `{"sha256": "${sha256}", "lemmas": [[1]]}`)._tag, 'Unreadable')
  })

  it('is not read where it has more lemmas than it may', () => {
    const lemmas = Array.from({ length: 11 }, (_, start) => [start, start + 1, 'x'] as const)
    deepEqual(read(text, json(lemmas)), { _tag: 'AboveBudget', length: 11 })
    equal(read(text, json(lemmas.slice(1)))._tag, 'Read')
  })

  it('pauses every few hundred lemmas', () => {
    const lemmas = Array.from({ length: 20_000 }, (_, start) => [start, start + 1, `x${start}`] as const)
    const pauses = [...readSidecar(json(lemmas), { text, sha256 }, 20_000)].length
    ok(pauses > 100, `${pauses} pauses`)
  })

  it('is about the text that its path names', () => {
    deepEqual(annotationTarget('lematy/dziel/a/b.md.json'), { tree: 'dziel', path: 'a/b.md' })
    for (const path of ['lematy/inne/a.md.json', 'lematy/lore/a.md', 'lematy/lore/.json', 'probki/a.json'])
      equal(annotationTarget(path), null)
  })

  it('adds a key to its word; a dictionary says nothing about a proper noun', () => {
    const ofForm = (form: string) => (form === 'orrina' || form === 'wracali' ? ['zmiana'] : [])
    const terms = termsOf(text, { ofForm, atOffsets: new Map([[at('szedł'), 'iść']]) })
    equal(terms.filter(term => term === 'zmian').length, 1)
    equal(terms.includes('isc'), true)
  })
})
