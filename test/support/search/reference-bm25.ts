import type { SearchDocument } from '#src/domain/search/document.js'

/**
 * BM25 over whole documents by its definition: k1 1.2, b 0.75, and the idf with 1 added in the logarithm. It
 * shares no code with the product.
 */
export const referenceScores = (
  documents: ReadonlyArray<SearchDocument>,
  query: ReadonlyArray<string>,
): ReadonlyMap<string, number> => {
  const average = documents.reduce((sum, { terms }) => sum + terms.length, 0) / documents.length
  const scores = new Map<string, number>()
  for (const word of new Set(query)) {
    const having = documents.filter(({ terms }) => terms.includes(word))
    const idf = Math.log(1 + (documents.length - having.length + 0.5) / (having.length + 0.5))
    for (const { id, terms } of having) {
      const count = terms.filter(term => term === word).length
      const share = (count * 2.2) / (count + 1.2 * (0.25 + (0.75 * terms.length) / average))
      scores.set(id, (scores.get(id) ?? 0) + idf * share)
    }
  }
  return scores
}
