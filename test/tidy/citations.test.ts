import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import {
  anchorsIn,
  type CitationKind,
  citationAnchorOf,
  citationsIn,
  citingTexts,
  findRepeatedAnchors,
  findUnresolved,
  specPages,
} from './citations.js'

const kinds: ReadonlyArray<CitationKind> = [
  { name: 'A', pattern: /\bA \d+(?:\.\d+)*/g },
  { name: 'B', pattern: /\bB \d+(?:\.\d+)*/g },
  { name: 'SECURITY', pattern: /\bSECURITY \d+(?:\.\d+)*/g },
]

const isOfKind = (anchor: string): boolean => /^(?:a|b|security)-\d/.test(anchor)

/** An id put together here, so that this file does not cite it. */
const idOf = (kind: string, number: string): string => `${kind} ${number}`

describe('citations', () => {
  it('resolve to an anchor of docs/spec', () => {
    deepEqual(findUnresolved(citingTexts, specPages, kinds), [])
  })

  it('have one anchor each', () => {
    deepEqual(findRepeatedAnchors(specPages, isOfKind), [])
  })

  it('are found at every grain, and more than one in a line', () => {
    const text = `Reads a row (${idOf('A', '4.1.9')}, ${idOf('B', '8')}; ${idOf('SECURITY', '4.3.18')}).`
    deepEqual(citationsIn(text, kinds).map(citationAnchorOf), ['a-4-1-9', 'b-8', 'security-4-3-18'])
  })

  it('without an anchor are reported with the path, once a file', () => {
    const cited = idOf('A', '9.9')
    const texts = [{ path: 'src/a.ts', text: `${cited}, ${idOf('A', '9')}, ${cited}` }]
    const pages = [{ path: 'docs/spec/http.md', text: '<a id="a-9"></a>Versions.' }]
    deepEqual(findUnresolved(texts, pages, kinds), [`src/a.ts: ${cited}`])
  })

  it('with two anchors are reported', () => {
    const pages = ['<a id="a-9"></a>One.', '<a id="a-9"></a>Two.'].map(text => ({
      path: 'docs/spec/a.md',
      text,
    }))
    deepEqual(findRepeatedAnchors(pages, isOfKind), ['a-9'])
    deepEqual(anchorsIn('<a id="b-8"></a>**Three.** <a id="rights-day"></a>Four.'), ['b-8', 'rights-day'])
  })
})
