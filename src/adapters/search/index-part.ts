import type { AskedWords, CollectionSize, RankFilter, Ranking } from '#src/domain/search/ranking.js'

/** A question to a part of an index, with the weights that the words have in the whole index. */
export interface PartQuestion {
  /** Distinct words. */
  readonly words: ReadonlyArray<string>
  readonly idfs: ReadonlyArray<number>
  readonly averageLength: number
  readonly asked: AskedWords
  readonly filter: RankFilter
  readonly limit: number
}

/** A part of the documents of a tier. Its sizes leave out what was dropped. */
export interface IndexPart {
  readonly size: () => CollectionSize
  /** How many documents have the word. */
  readonly frequencyOf: (word: string) => number
  readonly rank: (question: PartQuestion) => Ranking
  /** Removes the documents of a source; returns how many they were. */
  readonly drop: (source: string) => number
}
