import type { NameKey } from '#protocol/atoms.js'
import { isAdjectiveLike } from '#src/domain/polish/adjective.js'
import { prepositions } from '#src/domain/polish/irregular.js'
import { allCases, lessSure, likely, type Rank, sure } from '#src/domain/polish/word-form.js'
import { nameWordsMax, type SpellingTable } from './spelling-table.js'
import type { WordHit } from './word-table.js'

/** A text read as a form of the words on the path to a node of the trie. */
export interface PathReading {
  readonly node: number
  readonly cases: number
  /** That of the least sure word; `ranks` is the sum over all words. */
  readonly rank: Rank
  readonly ranks: number
  readonly isAltered: boolean
  readonly isOtherGender: boolean
  readonly isFolded: boolean
  /** Every word is as in the spelling; only blanks, hyphens, punctuation or diacritics differ. */
  readonly isBase: boolean
}

/** A text read as a form of a spelling, or of a name that is computed from it. */
export interface PhraseReading extends Omit<PathReading, 'node'> {
  readonly spelling: NameKey
  readonly isComputed: boolean
}

/** The paths in the trie that the words are forms of and names end at. */
export const readPaths = (
  table: SpellingTable,
  tokens: ReadonlyArray<string>,
): ReadonlyArray<PathReading> => {
  const [first, second] = tokens
  if (first === undefined || tokens.length > nameWordsMax) return []
  if (second === undefined) return readWord(table, first)
  const found: Array<PathReading> = []
  followWords(table, tokens, found)
  return found
}

/** Whether the words are a form of a name whose spelling `has` accepts. */
export const isFormOf = (
  table: SpellingTable,
  tokens: ReadonlyArray<string>,
  has: (spelling: NameKey) => boolean,
): boolean =>
  readPaths(table, tokens).some(({ node }) =>
    [false, true].some(isComputed => table.endsAt(node, isComputed).some(has)),
  )

/** Whether a name may begin with a form of the word. */
export const mayStartName = (table: SpellingTable, token: string): boolean =>
  table.words.lookUp(token).some(({ word }) => table.trie.step(table.trie.root, word) >= 0)

type Agreement = Omit<PathReading, 'node'>

/** How many prefixes of names one text may be followed along. */
const stepsMax = 512

/**
 * Whether the unchanged words before the inflected ones are names of a woman that never change: those in -i, and before
 * an adjective also those in a consonant, -e, -o and -u (Noemi Sowy, Sarith Mrocznej).
 */
const isUnchangedWoman = (
  { words }: SpellingTable,
  hits: ReadonlyArray<WordHit>,
  tokens: ReadonlyArray<string>,
): boolean => {
  const inflected = hits.filter(hit => !hit.isBase).map(hit => words.textOf(hit.word))
  if (!inflected.every(word => word.endsWith('a'))) return false
  const unchanged = inflected.every(isAdjectiveLike) ? /[^aąęy]$/u : /i$/u
  return hits.every((hit, at) => !hit.isBase || unchanged.test(tokens[at] ?? ''))
}

/**
 * Whether forms of single words make one form of the name: the inflected words share a case, words before the last of
 * them have it too, and the words after it are a frozen tail (POLISH.md 7). Null: they do not.
 */
const agree = (
  table: SpellingTable,
  hits: ReadonlyArray<WordHit>,
  tokens: ReadonlyArray<string>,
): Agreement | null => {
  const last = hits.findLastIndex(hit => !hit.isBase)
  const preposition = tokens.findIndex(token => prepositions.has(token))
  if (preposition >= 0 && last > preposition) return null
  let [cases, inflected, surest, ranks, isFolded] = [allCases, allCases, allCases, 0, false]
  let rank: Rank = sure
  let [isAltered, isOtherGender] = [false, false]
  for (const [at, hit] of hits.entries()) {
    isFolded ||= hit.isFolded
    if (last >= 0 && at > last) continue
    cases &= hit.cases
    surest &= hit.surestCases
    if (hit.isBase) continue
    inflected &= hit.cases
    ranks += hit.rank
    if (hit.rank > rank) rank = hit.rank
    isAltered ||= hit.isAltered
    isOtherGender ||= hit.isOtherGender
  }
  const isBase = last < 0
  if (cases === 0 && !isBase) {
    const before = hits.slice(0, last + 1)
    if (inflected === 0 || !isUnchangedWoman(table, before, tokens)) return null
    ;[cases, ranks, rank] = [inflected, ranks + likely, lessSure(rank, likely)]
  }
  return { cases: surest === 0 ? cases : surest, rank, ranks, isAltered, isOtherGender, isFolded, isBase }
}

/** `readPaths` of one word, which most texts are: nothing has to agree. */
const readWord = (table: SpellingTable, token: string): ReadonlyArray<PathReading> => {
  const found: Array<PathReading> = []
  for (const { word, surestCases, rank, isAltered, isOtherGender, isFolded, isBase } of table.words.lookUp(
    token,
  )) {
    const node = table.trie.step(table.trie.root, word)
    if (node < 0 || !table.trie.isEnd(node)) continue
    found.push({ node, cases: surestCases, rank, ranks: rank, isAltered, isOtherGender, isFolded, isBase })
  }
  return found
}

/** Follows the names of the trie along the words, from the node that the words before `hits` lead to. */
const followWords = (
  table: SpellingTable,
  tokens: ReadonlyArray<string>,
  found: Array<PathReading>,
): void => {
  const hits: Array<WordHit> = []
  let steps = 0
  const follow = (node: number, at: number): void => {
    const token = tokens[at]
    if (token === undefined) {
      const agreement = table.trie.isEnd(node) ? agree(table, hits, tokens) : null
      if (agreement !== null) found.push({ node, ...agreement })
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
