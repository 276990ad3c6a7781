import { removeTopics } from '#src/domain/lore/topic-text.js'
import type { NameReading, Resolution } from '#src/domain/names/resolution.js'
import { keysOfText, type LemmasOfForm } from './document-terms.js'
import { queryTermsMax } from './ranking.js'
import { reduceWord } from './reduce-word.js'
import { isStopWord, type Word, wordsOf } from './words.js'

/** A key that is looked for, and the word of the query that it comes from, as written. */
export interface QueryTerm {
  readonly key: string
  readonly word: string
}

export interface QueryKnowledge {
  /** Resolves a name of the lore, up to annotated lemmas. */
  readonly resolve: (text: string) => Resolution
  /** Every form of a name, in all its cases. */
  readonly formsOf: (reading: NameReading) => ReadonlyArray<string>
  /** Lemmas of an ordinary word by its form in lower case. */
  readonly lemmasOf: LemmasOfForm
}

const wordsMax = 32
const nameWordsMax = 4
const readingsMax = 3
const formsMax = 64

/** Endings as they are without diacritics, and as they are with them, for words typed without. */
const typedEndings: ReadonlyArray<readonly [RegExp, string]> = [
  [/sc$/u, 'ść'],
  [/c$/u, 'ć'],
  [/l([aoy]?)$/u, 'ł$1'],
  [/lam$/u, 'łam'],
  [/lem$/u, 'łem'],
  [/n$/u, 'ń'],
  [/s$/u, 'ś'],
  [/z$/u, 'ź'],
]

/** The keys of a word of a query. A word without any diacritic may have been typed without its own. */
const keysOfWord = (word: string): ReadonlyArray<string> => {
  const keys = new Set([reduceWord(word)])
  if (/^[a-z]{4,}$/u.test(word))
    for (const [typed, meant] of typedEndings)
      if (typed.test(word)) keys.add(reduceWord(word.replace(typed, meant)))
  return [...keys]
}

const isShown = ({ form }: NameReading): boolean => removeTopics(form) === form

const isPartOf = (form: string, name: string): boolean => {
  const keys = new Set(keysOfText(name))
  return keysOfText(form).every(key => keys.has(key))
}

interface Collected {
  readonly terms: Map<string, QueryTerm>
  /** Positions of words that are part of a name. */
  readonly named: Set<number>
}

const addTerm = ({ terms }: Collected, key: string, word: string): void => {
  if (key !== '' && terms.size < queryTermsMax && !terms.has(key)) terms.set(key, { key, word })
}

const addNames = (
  text: string,
  words: ReadonlyArray<Word>,
  { resolve, formsOf }: QueryKnowledge,
  collected: Collected,
): void => {
  for (let from = 0; from < words.length; from += 1)
    for (let count = 1; count <= nameWordsMax && from + count <= words.length; count += 1) {
      const [first, last] = [words[from], words[from + count - 1]]
      if (first === undefined || last === undefined || (count === 1 && isStopWord(first.text))) continue
      const written = text.slice(first.start, last.end)
      const found = resolve(written)
      if (found.candidates.length === 0) continue
      for (let at = from; at < from + count; at += 1) collected.named.add(at)
      for (const reading of found.readings.filter(isShown).slice(0, readingsMax)) {
        for (const form of [reading.form, ...formsOf(reading).slice(0, formsMax)])
          for (const key of keysOfText(form)) addTerm(collected, key, written)
        // A text that was written before the alias has the heading.
        if (!isPartOf(reading.form, reading.entity.name))
          for (const key of keysOfText(reading.entity.name)) addTerm(collected, key, written)
      }
    }
}

/**
 * What is looked for: the keys of the words, of their lemmas, and of every form of the names among them, so that
 * a name that is new finds texts that were indexed before it. A dictionary does not speak about a name. Words
 * that every text has count only where there are no others.
 */
export const queryTermsOf = (text: string, knowledge: QueryKnowledge): ReadonlyArray<QueryTerm> => {
  const words = [...wordsOf(text)].slice(0, wordsMax)
  const collected: Collected = { terms: new Map(), named: new Set() }
  const written = (word: Word): string => text.slice(word.start, word.end)
  for (const word of words)
    if (!isStopWord(word.text))
      for (const key of keysOfWord(word.text)) addTerm(collected, key, written(word))
  addNames(text, words, knowledge, collected)
  for (const [at, word] of words.entries())
    if (!collected.named.has(at) && !isStopWord(word.text))
      for (const lemma of knowledge.lemmasOf(word.text))
        for (const key of keysOfText(lemma)) addTerm(collected, key, written(word))
  return [...collected.terms.values()]
}
