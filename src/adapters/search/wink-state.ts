import type { Wink, WinkDocument } from 'wink-bm25-text-search'
import makeWink from 'wink-bm25-text-search'
import type { DocumentHead } from '#src/domain/search/document.js'
import { averageLengthOf, type CollectionSize, idfOf } from '#src/domain/search/ranking.js'
import { openPostings, type WinkPostings } from './wink-postings.js'

/** The sizes that the export of a wink leaves out. */
export interface WinkSums {
  /** How many documents have each word, by the place of the word. */
  readonly frequencies: ReadonlyArray<number>
  readonly size: CollectionSize
}

/** What wink has of a document: its length, and by the places of its words their scores. */
export type SavedDocument = readonly [length: number, freq: WinkDocument['freq']]

/** What a saved index keeps of a wink: its export without the documents, these in the order of their rows, and sums. */
export interface SavedWink extends WinkSums {
  readonly base: string
  readonly documents: Iterable<SavedDocument>
}

/** An imported wink, and what was dropped since. */
export interface WinkState {
  readonly wink: Wink
  readonly sums: WinkSums
  /** The document of each row. */
  readonly heads: ReadonlyArray<DocumentHead>
  readonly docs: Readonly<Record<number, WinkDocument>>
  readonly tokens: Readonly<Record<string, number>>
  readonly postings: WinkPostings
  readonly averageThen: number
  readonly rowsOf: ReadonlyMap<string, ReadonlyArray<number>>
  /** The number of the source of each row. */
  readonly sourceOf: Uint32Array
  readonly dropped: Uint8Array
  /** How many dropped documents have each word, by the place of the word. */
  readonly lost: Map<number, number>
  readonly size: { documents: number; words: number }
}

/** Marks each word, so that none is a name of `Object.prototype`, where an imported wink would find it. */
const mark = ':'
const splitWords = (text: string): ReadonlyArray<string> =>
  text.split(' ').flatMap(word => (word === '' ? [] : [`${mark}${word}`]))

export const freshWink = (): Wink => {
  const wink = makeWink()
  wink.defineConfig({ fldWeights: { words: 1 }, ovFldNames: ['row'] })
  wink.definePrepTasks([splitWords])
  return wink
}

/** Imports a wink. `heads` is in the order of its rows. Throws where the export is broken. */
export const openWinkState = (saved: SavedWink, heads: ReadonlyArray<DocumentHead>): WinkState => {
  const wink = freshWink()
  wink.importJSON(saved.base)
  const docs = wink.getDocs()
  let row = 0
  for (const [length, freq] of saved.documents) {
    docs[row] = { freq, fieldValues: { row }, length }
    row += 1
  }
  const rowsOf = new Map<string, Array<number>>()
  const numbers = new Map<string, number>()
  const sourceOf = new Uint32Array(heads.length)
  for (const [row, { source }] of heads.entries()) {
    const rows = rowsOf.get(source) ?? []
    rows.push(row)
    rowsOf.set(source, rows)
    const number = numbers.get(source) ?? numbers.size
    numbers.set(source, number)
    sourceOf[row] = number
  }
  const { frequencies, size } = saved
  return {
    wink,
    sums: { frequencies, size },
    heads,
    docs,
    postings: openPostings(docs, heads.length, frequencies),
    tokens: wink.getTokens(),
    averageThen: averageLengthOf(size),
    rowsOf,
    sourceOf,
    dropped: new Uint8Array(heads.length),
    lost: new Map(),
    size: { ...size },
  }
}

/** The place of a word; -1 where no document has it. */
export const placeOfWord = ({ tokens }: WinkState, word: string): number => tokens[`${mark}${word}`] ?? -1

/** The idf that the stored scores of a word have in them. */
export const idfThenOf = ({ sums }: WinkState, place: number): number =>
  idfOf(sums.size.documents, sums.frequencies[place] ?? 0)

/** Drops the documents of a source; returns how many they were. */
export const dropWinkRows = (state: WinkState, source: string): number => {
  const { docs, dropped, lost, rowsOf, size } = state
  const rows = (rowsOf.get(source) ?? []).filter(row => dropped[row] === 0)
  for (const row of rows) {
    dropped[row] = 1
    size.documents -= 1
    size.words -= docs[row]?.length ?? 0
    for (const at in docs[row]?.freq) lost.set(Number(at), (lost.get(Number(at)) ?? 0) + 1)
  }
  return rows.length
}
