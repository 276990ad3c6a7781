import { deepEqual, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { firstLettersOf, irregularForms, reduceWord } from './reduce-word.js'
import { startsWithAny, wordsOf } from './words.js'

/** What a word is, as one pattern: the scan is its fast form. */
const wordPattern = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’]\p{L}+)?/gu

const placesByPattern = (text: string): ReadonlyArray<readonly [number, number]> =>
  [...text.matchAll(wordPattern)].map(({ 0: found, index }) => [index, index + found.length])

const placesByScan = (text: string): ReadonlyArray<readonly [number, number]> =>
  [...wordsOf(text)].map(({ start, end }) => [start, end])

const pieces = fc.constantFrom(
  ...['Steve’a', "d'Arc", 'żółw', 'ŻÓŁW', 'z\u0307o\u0301łw', '𝔘𝔟', '\ud835', '\udd18', '२३', 'Ⅷ', '’', "'"],
  ...[' ', '\n', '-', '12a', '\u0301', 'ﬁ', 'İstambuł', 'ludzie', 'źli', '漢字', '가', 'a’b’c', '½', '_'],
)
const anyText = fc.oneof(
  fc.array(pieces, { maxLength: 30 }).map(all => all.join('')),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 40 }),
)

describe('the words of a text', () => {
  it('are where the pattern of a word finds them', () => {
    fc.assert(
      fc.property(anyText, text => deepEqual(placesByScan(text), placesByPattern(text))),
      { numRuns: 2000 },
    )
  })

  it('begin with one of the first letters of their key', () => {
    fc.assert(
      fc.property(anyText, text => {
        for (const { text: word, start } of wordsOf(text))
          ok(startsWithAny(firstLettersOf([reduceWord(word)]))(text, start), word)
      }),
      { numRuns: 2000 },
    )
    for (const [form, key] of irregularForms) ok(startsWithAny(firstLettersOf([key]))(form, 0), form)
  })
})
