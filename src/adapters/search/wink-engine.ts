import makeWink, { type Wink } from 'wink-bm25-text-search'
import { admitsDocument, isOpenFilter } from '#src/domain/search/admit.js'
import { averageLengthOf, type CollectionSize, countOf, idfOf, saturate } from '#src/domain/search/bm25.js'
import type { DocumentHead } from '#src/domain/search/document.js'
import { byScore } from '#src/domain/search/join-rankings.js'
import type { RankedHit } from '#src/domain/search/ranking.js'
import type { IndexPart, PartQuestion } from './index-part.js'
import type { PackedDocument } from './packed-document.js'

/** wink ranks no smaller collection. */
export const winkDocumentsMin = 3

/** What a saved index keeps of a wink: its export, and the sizes that the export leaves out. */
export interface SavedWink {
  readonly json: string
  /** How many documents have each word, by the place of the word. */
  readonly frequencies: ReadonlyArray<number>
  readonly size: CollectionSize
}

/** Decimals of a score that wink stores. */
const precision = 6

/** Marks each word, so that none is a name of `Object.prototype`, where an imported wink would find it. */
const mark = ':'
const splitWords = (text: string): ReadonlyArray<string> =>
  text.split(' ').flatMap(word => (word === '' ? [] : [`${mark}${word}`]))

const freshWink = (): Wink => {
  const wink = makeWink()
  wink.defineConfig({ fldWeights: { words: 1 }, ovFldNames: ['row'] })
  wink.definePrepTasks([splitWords])
  return wink
}

/** Builds a wink of at least `winkDocumentsMin` documents; the row of each is its place. */
export const buildWink = (documents: ReadonlyArray<PackedDocument>): SavedWink => {
  const wink = freshWink()
  for (const [row, { words }] of documents.entries()) wink.addDoc({ words, row }, row)
  const frequencies: Array<number> = new Array(Object.keys(wink.getTokens()).length).fill(0)
  const docs = wink.getDocs()
  let words = 0
  for (const row of documents.keys()) {
    const doc = docs[row]
    if (doc === undefined) continue
    words += doc.length
    for (const at in doc.freq) frequencies[at] = (frequencies[at] ?? 0) + 1
  }
  wink.consolidate(precision)
  return { json: wink.exportJSON(), frequencies, size: { documents: documents.length, words } }
}

/** The main part over an imported wink. `heads` is in the order of the rows. Throws where the export is broken. */
export const winkPart = (saved: SavedWink, heads: ReadonlyArray<DocumentHead>): IndexPart => {
  const wink = freshWink()
  wink.importJSON(saved.json)
  const [docs, tokens] = [wink.getDocs(), wink.getTokens()]
  const dropped = new Uint8Array(heads.length)
  const lost = new Map<number, number>()
  const size = { ...saved.size }
  const averageThen = averageLengthOf(saved.size)
  const rowsOf = new Map<string, Array<number>>()
  for (const [row, { source }] of heads.entries()) {
    const rows = rowsOf.get(source) ?? []
    rows.push(row)
    rowsOf.set(source, rows)
  }
  const placeOf = (word: string): number => tokens[`${mark}${word}`] ?? -1
  const thenOf = (place: number): number => idfOf(saved.size.documents, saved.frequencies[place] ?? 0)

  const scorer = ({ words, idfs, averageLength }: PartQuestion) => {
    const known = words.map(word => {
      const place = placeOf(word)
      return { place, then: place < 0 ? 1 : thenOf(place) }
    })
    const isSame = size.documents === saved.size.documents && averageLength === averageThen
    return (row: number, stored: number): RankedHit | null => {
      const [head, doc] = [heads[row], docs[row]]
      if (head === undefined || doc === undefined) return null
      const matched: Array<number> = []
      let score = 0
      for (const [at, { place, then }] of known.entries()) {
        const share = doc.freq[place]
        if (share === undefined) continue
        matched.push(at)
        const count = countOf(share / then, doc.length, averageThen)
        score += (idfs[at] ?? 0) * saturate(count, doc.length, averageLength)
      }
      return { id: head.id, score: isSame ? stored : score, matched, document: head }
    }
  }

  return {
    size: () => ({ ...size }),
    frequencyOf: word => {
      const place = placeOf(word)
      return (saved.frequencies[place] ?? 0) - (lost.get(place) ?? 0)
    },
    drop: source => {
      const rows = (rowsOf.get(source) ?? []).filter(row => dropped[row] === 0)
      for (const row of rows) {
        dropped[row] = 1
        size.documents -= 1
        size.words -= docs[row]?.length ?? 0
        for (const at in docs[row]?.freq) lost.set(Number(at), (lost.get(Number(at)) ?? 0) + 1)
      }
      return rows.length
    },
    rank: question => {
      const { words, filter, limit } = question
      const isOpen = isOpenFilter(filter)
      const admits = (row: number): boolean => {
        const head = heads[row]
        return dropped[row] === 0 && (isOpen || (head !== undefined && admitsDocument(filter, head)))
      }
      const found = wink.search(words.join(' '), Number.POSITIVE_INFINITY, ({ row }) => admits(row))
      const score = scorer(question)
      const seen = new Set<string>()
      const hits: Array<RankedHit> = []
      const scoredMax = Math.max(256, 4 * limit)
      for (const [at, [id, stored]] of found.entries()) {
        const source = heads[Number(id)]?.source ?? ''
        if (at >= scoredMax && seen.size >= limit) {
          seen.add(source)
          continue
        }
        const hit = score(Number(id), stored)
        if (hit !== null) hits.push(hit)
        seen.add(source)
      }
      const best = new Set<string>()
      const first = hits.sort(byScore).filter(({ document: { source } }) => {
        if (best.has(source)) return false
        best.add(source)
        return true
      })
      return { hits: first.slice(0, limit), total: seen.size, totalIsLowerBound: false }
    },
  }
}
