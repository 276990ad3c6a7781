import type { DocumentHead, SearchDocument } from '#src/domain/search/document.js'
import { anyDocument, type RankFilter, type RankQuestion } from '#src/domain/search/ranking.js'

const plainHead: Omit<DocumentHead, 'id' | 'source'> = {
  kind: 'lore',
  path: 'swiat/opis.md',
  blob: null,
  bytes: { from: 0, to: 10 },
  line: 1,
  title: 'Opis',
  header: null,
  day: null,
  diegesis: null,
  authority: 'rada',
  visibility: 'open',
}

/** A document with these words; its source is the part of the id before `#`. */
export const testDocument = (id: string, text: string, head: Partial<DocumentHead> = {}): SearchDocument => ({
  ...plainHead,
  id,
  source: id.split('#')[0] ?? id,
  ...head,
  terms: text.split(' ').filter(term => term !== ''),
})

export const questionOf = (text: string, filter: Partial<RankFilter> = {}, limit = 20): RankQuestion => ({
  terms: text.split(' '),
  covers: null,
  filter: { ...anyDocument, ...filter },
  offset: 0,
  limit,
})

/** The same, where each term is a word of the query. */
export const wholeQuestionOf = (text: string): RankQuestion => {
  const question = questionOf(text)
  return { ...question, covers: question.terms.map((_, at) => 1 << at) }
}

/** Draws numbers from a seed, at least 0 and below 1. */
export const drawsOf = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A word of a vocabulary in which the first words are the most frequent. */
export const drawWord = (draw: () => number, vocabulary: number): string =>
  `s${Math.floor(vocabulary ** draw()).toString(36)}`

/** A text of words of a vocabulary. */
export const drawText = (draw: () => number, least: number, most: number, vocabulary = 4_000): string =>
  Array.from({ length: least + Math.floor(draw() * (most - least)) }, () => drawWord(draw, vocabulary)).join(
    ' ',
  )
