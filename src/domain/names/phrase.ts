import type { NameKey } from '#protocol/atoms/name.js'
import { allCases } from '#src/domain/polish/cases.js'
import { prepositions } from '#src/domain/polish/prepositions.js'
import { type Rank, sure } from '#src/domain/polish/word-form.js'
import { nameWordsMax, type SpellingTable } from './spelling-table.js'
import type { WordHit } from './word-table.js'

/** A text read as a form of a spelling, or of a name that is computed from it. */
export interface PhraseReading {
  readonly spelling: NameKey
  readonly isComputed: boolean
  readonly cases: number
  readonly rank: Rank
  readonly isAltered: boolean
  readonly isFolded: boolean
  /** Every word is as in the spelling; only blanks, hyphens, punctuation or diacritics differ. */
  readonly isBase: boolean
}

type Agreement = Omit<PhraseReading, 'spelling' | 'isComputed'>

type Shared = [cases: number, surest: number, rank: Rank, isAltered: boolean, isFolded: boolean]

/** How many prefixes of names one text may be followed along. */
const stepsMax = 512

/**
 * Whether forms of single words make one form of the name: the inflected words share a case, words before the last of
 * them have it too, and the words after it are a frozen tail (POLISH.md 7). Null: they do not.
 */
const agree = (hits: ReadonlyArray<WordHit>, tokens: ReadonlyArray<string>): Agreement | null => {
  const last = hits.findLastIndex(hit => !hit.isBase)
  const preposition = tokens.findIndex(token => prepositions.has(token))
  if (preposition >= 0 && last > preposition) return null
  let [cases, surest, rank, isAltered, isFolded]: Shared = [allCases, allCases, sure, false, false]
  for (const [at, hit] of hits.entries()) {
    isFolded ||= hit.isFolded
    if (last >= 0 && at > last) continue
    cases &= hit.cases
    surest &= hit.surestCases
    if (hit.isBase) continue
    if (hit.rank > rank) rank = hit.rank
    isAltered ||= hit.isAltered
  }
  return cases === 0 && last >= 0
    ? null
    : { cases: surest === 0 ? cases : surest, rank, isAltered, isFolded, isBase: last < 0 }
}

/** `readPhrase` of one word, which most texts are: nothing has to agree. */
const readWord = (table: SpellingTable, token: string): ReadonlyArray<PhraseReading> => {
  const found: Array<PhraseReading> = []
  for (const { word, cases, surestCases, rank, isAltered, isFolded, isBase } of table.words.lookUp(token)) {
    const node = table.trie.step(table.trie.root, word)
    if (node < 0) continue
    for (const { spelling, isComputed } of table.endsAt(node))
      found.push({ spelling, isComputed, cases: surestCases || cases, rank, isAltered, isFolded, isBase })
  }
  return found
}

/** Follows the names of the trie along the words, from the node that the words before `hits` lead to. */
const followWords = (
  table: SpellingTable,
  tokens: ReadonlyArray<string>,
  found: Array<PhraseReading>,
): void => {
  const hits: Array<WordHit> = []
  let steps = 0
  const follow = (node: number, at: number): void => {
    const token = tokens[at]
    if (token === undefined) {
      const agreement = agree(hits, tokens)
      if (agreement !== null) for (const end of table.endsAt(node)) found.push({ ...end, ...agreement })
      return
    }
    for (const hit of table.words.lookUp(token)) {
      steps += 1
      const next = steps > stepsMax ? -1 : table.trie.step(node, hit.word)
      if (next < 0) continue
      hits.push(hit)
      follow(next, at + 1)
      hits.pop()
    }
  }
  follow(table.trie.root, 0)
}

/** Every reading of the words, in the order in which the spellings were added. */
export const readPhrase = (
  table: SpellingTable,
  tokens: ReadonlyArray<string>,
): ReadonlyArray<PhraseReading> => {
  const [first, second] = tokens
  if (first === undefined || tokens.length > nameWordsMax) return []
  if (second === undefined) return readWord(table, first)
  const found: Array<PhraseReading> = []
  followWords(table, tokens, found)
  return found
}
