/**
 * How much of a query a document has, its words as bits: 2, the document has every word that the tier has; 1, the
 * documents of its source have them together; 0, else. A higher coverage ranks before a lower one.
 */
export type Coverage = 0 | 1 | 2

/** The words that a question asks for in one index. */
export interface AskedWords {
  /** For each term, the words of the query that it stands for. */
  readonly ofTerm: ReadonlyArray<number>
  /** Those of all terms that the index has. */
  readonly all: number
}

/** The words to ask for, where `frequencies` says how many documents have each term. */
export const wordsToAsk = (
  ofTerm: ReadonlyArray<number>,
  frequencies: ReadonlyArray<number>,
): AskedWords => ({
  ofTerm,
  all: ofTerm.reduce((all, words, at) => ((frequencies[at] ?? 0) > 0 ? all | words : all), 0),
})

export const coverageOf = ({ all }: AskedWords, inDocument: number, inSource: number): Coverage =>
  (inDocument & all) === all ? 2 : (inSource & all) === all ? 1 : 0
