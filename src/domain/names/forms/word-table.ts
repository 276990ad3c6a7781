import { allCases } from '#src/domain/polish/cases.js'
import { foldLetter, hashFolded } from '#src/domain/polish/fold.js'
import { inflectWord } from '#src/domain/polish/inflect.js'
import { particles } from '#src/domain/polish/prepositions.js'
import { type Rank, sure, type WordForm } from '#src/domain/polish/word-form.js'
import { bytes, hashSlots, numberList, words16, words32 } from './growable.js'

/** A token read as a form of a word. */
export interface WordHit {
  readonly word: number
  /** Cases as bits, with and without those of rare paradigms. A base form that is not inflected has all. */
  readonly cases: number
  readonly surestCases: number
  readonly rank: Rank
  readonly isAltered: boolean
  readonly isBase: boolean
  /** A form of the other gender (`WordForm`). */
  readonly isOtherGender: boolean
  /** The token lacks diacritics that the form has, or has an apostrophe that it does not need: Nick’a. */
  readonly isFolded: boolean
}

/**
 * The words of names with all their forms, found by any form with or without its diacritics. It only grows: what a
 * word's forms are depends on nothing else, so snapshots share one table.
 */
export interface WordTable {
  readonly size: () => number
  readonly formCount: () => number
  readonly textOf: (word: number) => string
  /** The number of the word, which is new when the table did not have it. */
  readonly add: (text: string) => number
  readonly lookUp: (token: string) => ReadonlyArray<WordHit>
  /** Whether a token with this `hashFolded` may be a form. */
  readonly mayHave: (hash: number) => boolean
}

/** How many tokens are remembered with their forms. */
const foundMax = 4096

const rankShift = 14
const alteredBit = 1 << 16
const otherGenderBit = 1 << 17
const surestShift = 18

const commonPrefix = (one: string, other: string): number => {
  const max = Math.min(one.length, other.length, 255)
  let at = 0
  while (at < max && one.charCodeAt(at) === other.charCodeAt(at)) at += 1
  return at
}

/** 0: the token is the form. 1: it is the form with diacritics left out. -1: it is another text. */
const compareToken = (token: string, base: string, shared: number, rest: string): -1 | 0 | 1 => {
  if (token.length !== shared + rest.length) return -1
  let found: 0 | 1 = 0
  for (let at = 0; at < token.length; at += 1) {
    const code = at < shared ? base.charCodeAt(at) : rest.charCodeAt(at - shared)
    const given = token.charCodeAt(at)
    if (given === code) continue
    if (given !== foldLetter(code)) return -1
    found = 1
  }
  return found
}

const accept = (): boolean => true

/** Texts by number: each text once. */
const textRegister = () => {
  const texts: Array<string> = []
  const numbers = new Map<string, number>()
  return {
    texts,
    numberOf: (text: string): number | undefined => numbers.get(text),
    add: (text: string): number => {
      const known = numbers.get(text)
      if (known !== undefined) return known
      numbers.set(text, texts.length)
      texts.push(text)
      return texts.length - 1
    },
  }
}

/** The rank of a base form, which is always sure, has a number of its own. */
const baseRank = 3
const ranks: ReadonlyArray<Rank> = [0, 1, 2, sure]

const bitsOf = ({ cases, surestCases, rank, isAltered, isOtherGender }: WordForm, isBase: boolean): number =>
  cases |
  ((isBase ? baseRank : rank) << rankShift) |
  (isAltered ? alteredBit : 0) |
  (isOtherGender ? otherGenderBit : 0) |
  (surestCases << surestShift)

/** Those of a word that is not inflected: it is in every case. */
const uninflectedBits = allCases | (allCases << surestShift) | (baseRank << rankShift)

/** The forms in columns: the word, how many characters are its own, what follows them, and the rest as bits. */
const formColumns = () => ({
  word: numberList(words32),
  shared: numberList(bytes),
  rest: numberList(words16),
  bits: numberList(words32),
})

const hitOf = (word: number, bits: number, isFolded: boolean): WordHit => ({
  word,
  cases: bits & allCases,
  surestCases: bits >>> surestShift,
  rank: ranks[(bits >> rankShift) & 3] ?? sure,
  isAltered: (bits & alteredBit) !== 0,
  isBase: ((bits >> rankShift) & 3) === baseRank,
  isOtherGender: (bits & otherGenderBit) !== 0,
  isFolded,
})

/** Remembers the forms of the tokens that were looked up, until `forget`. */
const rememberHits = (read: WordTable['lookUp']) => {
  const known = new Map<string, ReadonlyArray<WordHit>>()
  return {
    of: (token: string): ReadonlyArray<WordHit> => {
      const found = known.get(token)
      if (found !== undefined) return found
      if (known.size >= foundMax) known.clear()
      const hits = read(token)
      known.set(token, hits)
      return hits
    },
    forget: () => known.clear(),
  }
}

export const makeWordTable = (): WordTable => {
  const words = textRegister()
  const rests = textRegister()
  const slots = hashSlots()
  const forms = formColumns()

  const addForm = (word: number, base: string, form: string, bits: number): void => {
    const shared = commonPrefix(base, form)
    slots.add(hashFolded(form), forms.word.length)
    forms.word.push(word)
    forms.shared.push(shared)
    forms.rest.push(rests.add(form.slice(shared)))
    forms.bits.push(bits >>> 0)
  }

  const compareWith = (token: string, entry: number): -1 | 0 | 1 =>
    compareToken(
      token,
      words.texts[forms.word.at(entry)] ?? '',
      forms.shared.at(entry),
      rests.texts[forms.rest.at(entry)] ?? '',
    )

  const addWord = (text: string): number => {
    const word = words.add(text)
    const found = particles.has(text) ? [] : inflectWord(text)
    if (found.length === 0) addForm(word, text, text, uninflectedBits)
    for (const one of found) addForm(word, text, one.form, bitsOf(one, one.form === text))
    return word
  }

  const readForms = (token: string, isFolded = false): ReadonlyArray<WordHit> => {
    const hits: Array<WordHit> = []
    slots.find(hashFolded(token), entry => {
      const compared = compareWith(token, entry)
      if (compared >= 0)
        hits.push(hitOf(forms.word.at(entry), forms.bits.at(entry), isFolded || compared === 1))
      return false
    })
    return token.includes("'") ? [...hits, ...readForms(token.replaceAll("'", ''), true)] : hits
  }

  const found = rememberHits(token => readForms(token))

  return {
    size: () => words.texts.length,
    formCount: () => forms.word.length,
    textOf: word => words.texts[word] ?? '',
    add: text => {
      const known = words.numberOf(text)
      if (known !== undefined) return known
      found.forget()
      return addWord(text)
    },
    mayHave: hash => slots.find(hash, accept) >= 0,
    lookUp: found.of,
  }
}
