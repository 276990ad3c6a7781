import type { Wink, WinkDocument } from 'wink-bm25-text-search'
import makeWink from 'wink-bm25-text-search'
import type { DocumentHead } from '#src/domain/search/document.js'
import { averageLengthOf, type CollectionSize, idfOf } from '#src/domain/search/ranking.js'
import type { Sqlite } from '../runtime/sqlite.js'

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

/** The rows that have a word; none where its place is -1. */
export const rowsWithWord = ({ starts, rows }: WinkPostings, place: number): Uint32Array =>
  place < 0 ? rows.subarray(0, 0) : rows.subarray(starts[place], starts[place + 1])

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

/** The words of an index with their numbers, and the sums of changes of their frequencies. */
export interface WordBook {
  /** The number of a word, which gets one here where it has none. */
  readonly idOf: (word: string) => number
  /** Notes that one document more, or less, has the word, and how often. */
  readonly count: (id: number, by: 1 | -1, most: number) => void
  /** Writes the sums. */
  readonly flush: () => void
}

export const openWordBook = (sqlite: Sqlite): WordBook => {
  const find = sqlite.prepare('SELECT id FROM word WHERE word = ?')
  const insert = sqlite.prepare('INSERT INTO word (word, documents, most) VALUES (?, 0, 1)')
  const update = sqlite.prepare('UPDATE word SET documents = documents + ?, most = max(most, ?) WHERE id = ?')
  const ids = new Map<string, number>()
  const changes = new Map<number, { by: number; most: number }>()
  return {
    idOf: word => {
      const known = ids.get(word)
      if (known !== undefined) return known
      if (find.column(word).length === 0) insert.run(word)
      const id = Number(find.column(word)[0])
      ids.set(word, id)
      return id
    },
    count: (id, by, most) => {
      const change = changes.get(id) ?? { by: 0, most: 1 }
      change.by += by
      change.most = Math.max(change.most, most)
      changes.set(id, change)
    },
    flush: () => {
      for (const [id, { by, most }] of changes) update.run(by, most, id)
      changes.clear()
    },
  }
}

/** wink ranks no smaller collection. */
const winkDocumentsMin = 3

/** Decimals of a score that wink stores. */
const precision = 6

/** Builds a wink; the row of each document is its place. */
interface WinkBuild {
  readonly add: (words: string) => void
  readonly documents: () => number
  /** The wink of at least `winkDocumentsMin` documents; null where they are fewer. Nothing can be added after it. */
  readonly finish: () => SavedWink | null
}

/** The rows that have each word, in order. wink has them too, and does not show them. */
interface WinkPostings {
  /** By the place of a word: where its rows start in `rows`; one more at the end. */
  readonly starts: Uint32Array
  readonly rows: Uint32Array
}

/** Lists the rows of each word. `frequencies` says how many rows have each, by its place. */
const openPostings = (
  docs: Readonly<Record<number, WinkDocument>>,
  rowCount: number,
  frequencies: ReadonlyArray<number>,
): WinkPostings => {
  const starts = new Uint32Array(frequencies.length + 1)
  for (const [place, count] of frequencies.entries()) starts[place + 1] = (starts[place] ?? 0) + count
  const rows = new Uint32Array(starts[frequencies.length] ?? 0)
  const next = starts.slice()
  for (let row = 0; row < rowCount; row += 1)
    for (const key in docs[row]?.freq) {
      const place = Number(key)
      const at = next[place] ?? 0
      next[place] = at + 1
      rows[at] = row
    }
  return { starts, rows }
}

/** The sizes that the export of a wink leaves out. */
interface WinkSums {
  /** How many documents have each word, by the place of the word. */
  readonly frequencies: ReadonlyArray<number>
  readonly size: CollectionSize
}

/** Marks each word, so that none is a name of `Object.prototype`, where an imported wink would find it. */
const mark = ':'
const splitWords = (text: string): ReadonlyArray<string> =>
  text.split(' ').flatMap(word => (word === '' ? [] : [`${mark}${word}`]))
