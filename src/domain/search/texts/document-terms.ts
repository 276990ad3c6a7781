import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'
import { termCharsMax } from '../document.js'
import { reduceWord } from '../words/reduce-word.js'
import { isStopWord, wordsOf } from '../words/words.js'
import { type LemmaOffsets, noOffsets } from './lemma-offsets.js'

export type LemmasOfForm = (form: string) => ReadonlyArray<string>

/** Lemmas beside the rules. */
export interface Lemmas {
  /** Lemmas of an ordinary word by its form in lower case. */
  readonly ofForm: LemmasOfForm
  /** Of this text, by the UTF-16 offset at which the word starts. */
  readonly atOffsets: LemmaOffsets
}

const noKeys: ReadonlyArray<string> = []

export const noLemmas: Lemmas = { ofForm: () => noKeys, atOffsets: noOffsets }

/** The keys of every word of a lemma, which may be a name of several. */
export const keysOfText = (text: string): ReadonlyArray<string> =>
  [...wordsOf(text)].map(({ text: word }) => reduceWord(word)).filter(isTerm)

const isTerm = (key: string): boolean => key !== '' && key.length <= termCharsMax

/** Words between two yields. */
const wordsPerSlice = 512

/**
 * The keys of the words of a text in its order; `offset` is where the text starts in its file. A word whose
 * lemma is stated has the key of that too; a dictionary does not speak about a proper noun.
 */
export const termsInSlices = function* (
  text: string,
  { ofForm, atOffsets }: Lemmas,
  offset = 0,
): Sliced<ReadonlyArray<string>> {
  const terms: Array<string> = []
  let words = 0
  for (const word of wordsOf(text)) {
    words += 1
    if (words % wordsPerSlice === 0) yield
    if (isStopWord(word.text)) continue
    const key = reduceWord(word.text)
    if (isTerm(key)) terms.push(key)
    const stated = atOffsets.get(word.start + offset)
    const lemmas = stated !== undefined ? [stated] : word.isProper ? noKeys : ofForm(word.text)
    for (const lemma of lemmas) for (const other of keysOfText(lemma)) if (other !== key) terms.push(other)
  }
  return terms
}

/** Runs `termsInSlices` to its end without yielding. */
export const termsOf = (text: string, lemmas: Lemmas): ReadonlyArray<string> =>
  atOnce(termsInSlices(text, lemmas))
