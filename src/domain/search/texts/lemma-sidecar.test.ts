import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { termsOf } from './document-terms.js'
import { annotationTarget, hashText, readSidecar } from './lemma-sidecar.js'

const text = 'Ludzie wracali. Nocą Orrin szedł z psami Orrina.'
const sha256 = hashText({ text })
const at = (word: string): number => text.indexOf(word)
const json = (lemmas: ReadonlyArray<readonly [number, number, string]>, hash = sha256): string =>
  JSON.stringify({ sha256: hash, lemmas })

describe('a sidecar of lemmas', () => {
  it('states lemmas of words by their place, and of ordinary words by their form', () => {
    const read = readSidecar(
      json([
        [at('psami'), at('psami') + 5, 'pies'],
        [at('Orrina'), at('Orrina') + 6, 'Orrin'],
        [9, 3, 'odwrotnie'],
      ]),
      sha256,
      text,
    )
    if (read._tag !== 'Read') throw new Error(read._tag)
    deepEqual([...read.offsets.keys()], [at('psami'), at('Orrina')])
    deepEqual([...read.forms], [['psami', 'pies']])
  })

  it('is outdated once the text differs, and unreadable where it is no such object', () => {
    equal(readSidecar(json([], 'f'.repeat(64)), sha256, text)._tag, 'Outdated')
    for (const bad of ['', '[]', '{"sha256": 1}', '{"sha256": "x", "lemmas": [[1]]}'])
      equal(readSidecar(bad, sha256, text)._tag, 'Unreadable')
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
