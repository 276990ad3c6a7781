import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import {
  type CitationKind,
  citationAnchorOf,
  citationsIn,
  citingTexts,
  findRepeatedAnchors,
  findUnresolved,
  specPages,
} from './citations.js'
import type { Source } from './sources.js'

/** `S0` and the like are names of sessions in tests: ids begin with 1. A word in backquotes is no citation. */
const kinds: ReadonlyArray<CitationKind> = [
  { name: 'FORMATS', pattern: /(?<!`)\bFORMATS(?: \d+(?:\.\d+)*)?/g },
  { name: 'LAYOUT', pattern: /\bLAYOUT\b/g },
  { name: 'METRICS', pattern: /\bMETRICS\b/g },
  { name: 'RELIABILITY', pattern: /\bRELIABILITY(?: \d+)?/g },
  { name: 'D', pattern: /(?<![%\w])D[1-9]\d?\b/g },
  { name: 'S', pattern: /(?<![%\w])S[1-9]\d?\b/g },
  { name: 'F', pattern: /(?<![%\w])F[1-9]\d?\b/g },
  { name: 'L', pattern: /(?<![%\w])L[1-9]\d?\b/g },
]

/** Papers that are cited by no page of docs/spec: nothing cites them. */
const withoutPage: ReadonlyArray<CitationKind> = [
  { name: 'STYLE', pattern: /\bSTYLE \d+(?:\.\d+)*/g },
  { name: 'DECISIONS', pattern: /(?<!`)\bDECISIONS\b/g },
  { name: 'ARCHITECTURE', pattern: /(?<!`)\bARCHITECTURE\b/g },
]

const isOfKind = (anchor: string): boolean =>
  /^(?:(?:formats|layout|metrics|reliability)(?:-\d.*)?|[dsfl]\d+)$/.test(anchor)

const wrapped = /\n\s*(?:\*|\/\/)?\s*/g
const listed = /\bFORMATS (\d[\d.]*\d|\d)(,| and| to| or) (?=\d)/g

/** Joins citations that a line break parts, and gives each number of a list its word: so all are found. */
const spellOut = (text: string): string => {
  const spelled = text.replaceAll(wrapped, ' ').replaceAll(listed, 'FORMATS $1$2 FORMATS ')
  return spelled === text ? text : spellOut(spelled)
}

const own = 'test/tidy/citations-formats.test.ts'
const texts: ReadonlyArray<Source> = citingTexts
  .filter(({ path }) => path !== own)
  .map(({ path, text }) => ({ path, text: spellOut(text) }))

describe('citations of formats, layout, metrics, reliability and decisions', () => {
  it('have one anchor each', () => {
    deepEqual(findRepeatedAnchors(specPages, isOfKind), [])
  })

  it('resolve to an anchor below docs/spec', () => {
    deepEqual(findUnresolved(texts, specPages, kinds), [])
  })

  it('name no paper that has no page', () => {
    deepEqual(
      texts.flatMap(({ path, text }) => citationsIn(text, withoutPage).map(id => `${path}: ${id}`)),
      [],
    )
  })

  it('are found over a line break and in a list', () => {
    const text = spellOut('/**\n * Reads a row (FORMATS\n * 1.5, 10 and 4.1; D27, S30).\n */')
    deepEqual(citationsIn(text, kinds).map(citationAnchorOf), [
      'formats-1-5',
      'formats-10',
      'formats-4-1',
      'd27',
      's30',
    ])
  })
})
