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
  let [cases, rank, isAltered, isFolded]: [number, Rank, boolean, boolean] = [allCases, sure, false, false]
  for (const [at, hit] of hits.entries()) {
    isFolded ||= hit.isFolded
    if (at > last) continue
    cases &= hit.cases
    if (hit.isBase) continue
    if (hit.rank > rank) rank = hit.rank
    isAltered ||= hit.isAltered
  }
  if (last < 0) cases = hits.reduce((shared, hit) => shared & hit.cases, allCases)
  return cases === 0 && last >= 0 ? null : { cases, rank, isAltered, isFolded, isBase: last < 0 }
}

/** Every reading of the words, in the order in which the spellings were added. */
export const readPhrase = (
  table: SpellingTable,
  tokens: ReadonlyArray<string>,
): ReadonlyArray<PhraseReading> => {
  const found: Array<PhraseReading> = []
  const hits: Array<WordHit> = []
  let steps = 0
  const follow = (node: number, at: number): void => {
    const token = tokens[at]
    if (token === undefined) {
      const agreement = agree(hits, tokens)
      if (agreement === null) return
      for (const end of table.endsAt(node)) found.push({ ...end, ...agreement })
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
  if (tokens.length > 0 && tokens.length <= nameWordsMax) follow(table.trie.root, 0)
  return found
}
