import { dropLongMarks, type NameKey, nameKey } from '#protocol/atoms.js'
import { inflectWord } from '#src/domain/polish/inflect.js'
import { sure } from '#src/domain/polish/word-form.js'
import { inNominative } from '../forms/computed-aliases.js'

/** The letters of a key without Polish marks and apostrophes. */
const bare = (text: string): string =>
  dropLongMarks(text)
    .replaceAll('ł', 'l')
    .normalize('NFD')
    .replace(/[\p{M}']/gu, '')

/** The words of a key: runs of letters and digits, with an apostrophe inside. */
const wordsOfKey = (key: string): ReadonlyArray<string> =>
  key.match(/[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}']*[\p{L}\p{M}\p{N}])?/gu) ?? []

/** The words of a key without Polish marks, as `PossibleForms` has them. */
export const bareWordsOfKey = (key: string): ReadonlyArray<string> => wordsOfKey(key).map(bare)

/** The texts that may be forms of one name. */
export interface PossibleForms {
  /** Every form of every word of the name, without Polish marks: what such a text begins with. */
  readonly starts: ReadonlySet<string>
  /**
   * Whether a key may be a form of the name, or of a name that is computed from it: each of its words is a form
   * of a word of the name. Parts of the name, and words of different cases, count too: this is more than the
   * resolver takes.
   */
  readonly has: (key: NameKey) => boolean
  /** `has` of a key with these words without Polish marks. */
  readonly hasWords: (words: ReadonlyArray<string>) => boolean
}

/** The texts that may be forms of a name, whether or not a block has it; `added` are forms beside those. */
export const possibleForms = (name: string, added: ReadonlyArray<string> = []): PossibleForms => {
  const key = nameKey(name)
  const words = [...wordsOfKey(key), ...inNominative(key).flat()]
  const forms = new Set(
    [
      ...words.flatMap(word => [word, ...inflectWord(word).map(one => one.form)]),
      ...added.flatMap(form => wordsOfKey(nameKey(form))),
    ].map(bare),
  )
  const hasWords = (asked: ReadonlyArray<string>): boolean => {
    for (const word of asked) if (!forms.has(word)) return false
    return asked.length > 0
  }
  return { starts: forms, has: key => hasWords(bareWordsOfKey(key)), hasWords }
}

/** The first word of a key as `PossibleForms.starts` has it; null where the key has no word. */
export const startOfKey = (key: NameKey): string | null => {
  const [first] = wordsOfKey(key)
  return first === undefined ? null : bare(first)
}

const caseBits: ReadonlyArray<number> = Array.from({ length: 14 }, (_, at) => 1 << at)

/**
 * The usual forms of a name, one text for each case that every word has: what a block with that name is likely
 * to be called in prose.
 */
export const usualForms = (name: string): ReadonlyArray<string> => {
  const words = wordsOfKey(nameKey(name)).map(word => ({
    word,
    forms: inflectWord(word).filter(one => one.rank === sure && !one.isOtherGender),
  }))
  const inCase = (bit: number): string =>
    words.map(({ word, forms }) => forms.find(one => (one.cases & bit) !== 0)?.form ?? word).join(' ')
  return words.length === 0 ? [] : [...new Set(caseBits.map(inCase))]
}
