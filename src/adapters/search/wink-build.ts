import { freshWink, type SavedDocument, type SavedWink } from './wink-state.js'

/** wink ranks no smaller collection. */
export const winkDocumentsMin = 3

/** Decimals of a score that wink stores. */
const precision = 6

/** Builds a wink; the row of each document is its place. */
export interface WinkBuild {
  readonly add: (words: string) => void
  readonly documents: () => number
  /** The wink of at least `winkDocumentsMin` documents; null where they are fewer. Nothing can be added after it. */
  readonly finish: () => SavedWink | null
}

export const startWink = (): WinkBuild => {
  const wink = freshWink()
  let count = 0
  return {
    add: words => {
      wink.addDoc({ words, row: count }, count)
      count += 1
    },
    documents: () => count,
    finish: () => {
      if (count < winkDocumentsMin) return null
      wink.consolidate(precision)
      const frequencies = Object.keys(wink.getTokens()).map(() => 0)
      const docs = wink.getDocs()
      const documents: Array<SavedDocument> = []
      let words = 0
      for (let row = 0; row < count; row += 1) {
        const { length, freq } = docs[row] ?? { length: 0, freq: {} }
        words += length
        for (const at of Object.keys(freq).map(Number)) frequencies[at] = (frequencies[at] ?? 0) + 1
        documents.push([length, freq])
        Reflect.deleteProperty(docs, row)
      }
      return { base: wink.exportJSON(), documents, frequencies, size: { documents: count, words } }
    },
  }
}
