import { deepEqual, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { findBrokenLinks, pageTexts } from './links.js'
import { isTest, sources } from './sources.js'

const path = 'docs/vocabulary.md'
const page = pageTexts.get(path) ?? ''

interface Entry {
  readonly word: string
  readonly meaning: string
}

/** The rows of the table, each with its word linked to what owns it. */
const entriesIn = (text: string): ReadonlyArray<Entry> =>
  [...text.matchAll(/^\| \[([^\]]+)\]\([^)]+\) \| (.+) \|$/gm)].map(found => ({
    word: found[1] ?? '',
    meaning: found[2] ?? '',
  }))

const compare = new Intl.Collator('pl').compare

/** The first word that stands before an earlier one, or that stands twice; null where there is none. */
const findMisplaced = (words: ReadonlyArray<string>): string | null =>
  words.find((word, at) => at > 0 && compare(words[at - 1] ?? '', word) >= 0) ?? null

const code = sources
  .filter(one => !isTest(one.path))
  .map(({ text }) => text)
  .join('\n')

/** Whether the code has the word: `parked ref` is also found as `parkedRef`, `parked-ref` and `ParkedRef`. */
const isInCode = (word: string): boolean => {
  const plain = word.replace(/ \(.+\)$/, '')
  return new RegExp(plain.split(/[ -]/).join('[ _-]?(?:\\n *\\* )?'), 'iu').test(code)
}

/** A sentence ends in a full stop that a blank and a capital, or nothing, follow. */
const countSentences = (meaning: string): number => meaning.split(/[.](?= \p{Lu}|$)/u).length - 1

describe('docs/vocabulary.md', () => {
  const entries = entriesIn(page)

  it('has every row of its table as an entry, in the order of the alphabet, each once', () => {
    const rows = page.split('\n').filter(line => line.startsWith('|'))
    deepEqual(entries.length, rows.length - 2)
    deepEqual(findMisplaced(entries.map(({ word }) => word)), null)
    deepEqual(findMisplaced(['actor', 'claim', 'block']), 'block')
    deepEqual(findMisplaced(['actor', 'actor']), 'actor')
  })

  it('leads to files and pages that are there', () => {
    deepEqual(findBrokenLinks({ path, text: page }), [])
  })

  it('has words of the code alone', () => {
    deepEqual(
      entries.map(({ word }) => word).filter(word => !isInCode(word)),
      [],
    )
    ok(isInCode('parked ref') && isInCode('batch (of PU)'))
    ok(!isInCode(['no', 'such', 'word'].join(' ')))
  })

  it('explains each in one or two sentences', () => {
    deepEqual(
      entries.filter(({ meaning }) => ![1, 2].includes(countSentences(meaning))).map(({ word }) => word),
      [],
    )
  })
})
