/** BM25 as wink-bm25-text-search computes it, for documents of one field. */

/** The sizes that BM25 depends on beside the words of a query. */
export interface CollectionSize {
  readonly documents: number
  /** The words of all documents together, each as often as it occurs. */
  readonly words: number
}

const saturation = 1.2
const lengthShare = 0.75

export const averageLengthOf = ({ documents, words }: CollectionSize): number =>
  documents === 0 || words === 0 ? 1 : words / documents

/** The weight of a word that `having` of `documents` documents have; always above 0. */
export const idfOf = (documents: number, having: number): number =>
  Math.log((Math.max(documents - having, 0) + 0.5) / (having + 0.5) + 1)

const normOf = (length: number, averageLength: number): number =>
  1 - lengthShare + lengthShare * (length / averageLength)

/** The share of a word's idf that a document gets which has it `count` times. */
export const saturate = (count: number, length: number, averageLength: number): number =>
  (count * (saturation + 1)) / (saturation * normOf(length, averageLength) + count)

/** The inverse of `saturate`: how often the document has the word. */
export const countOf = (share: number, length: number, averageLength: number): number =>
  Math.max(1, Math.round((share * saturation * normOf(length, averageLength)) / (saturation + 1 - share)))
