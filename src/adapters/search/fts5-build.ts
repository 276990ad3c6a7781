import type { DocumentHead } from '#src/domain/search/document.js'
import type { Facet } from '#src/domain/search/ranking.js'
import { openSqlite, type Sqlite, type Statement } from '../runtime/sqlite.js'
import {
  dayNumbersOf,
  droppedFacet,
  type FactTotals,
  makeFacts,
  type RowFacts,
  readFacts,
  resizeFacts,
  writeFacts,
} from './row-facts.js'
import { openWordBook, type WordBook } from './wink-engine.js'
import type { PackedDocument } from './wink-file.js'

/** Changes an FTS5 index. Nothing is complete before `finish`. */
export interface Fts5Build {
  readonly drop: (source: string) => void
  /** Adds a document of a source that is new or was dropped. */
  readonly add: (document: PackedDocument) => void
  readonly documents: () => number
  /** The row of the document that was added last. */
  readonly rows: () => number
  /** Writes the sums. The file is not closed. */
  readonly finish: () => void
}

/** Begins the changes of an open index, or of an empty file when `isNew`. */
export const fts5Build = (sqlite: Sqlite, isNew: boolean): Fts5Build => {
  const state = openState(sqlite, isNew)
  sqlite.exec('BEGIN')
  return {
    documents: () => state.documents,
    rows: () => state.rows,
    drop: name => dropSource(state, name),
    add: document => addDocument(state, document),
    finish: () => {
      const { rows, documents, words, facets, facts } = state
      state.book.flush()
      writeFacts(sqlite, resizeFacts(facts, rows), { rows, documents, words, facets })
      sqlite.exec('COMMIT')
    },
  }
}

/** No document counts a word more often than this. */
export const countMax = 32

/** The token of a word that occurs at least `count` times. Numbers have the base 35, so `z` parts them. */
export const wordToken = (word: number, count = 1): string =>
  count === 1 ? word.toString(35) : `${word.toString(35)}z${count.toString(35)}`

/** A word of a document and how often it occurs, as `document.words` keeps them. */
export const parseWords = (text: string): ReadonlyArray<readonly [word: number, count: number]> =>
  text.split(' ').flatMap(one => {
    const [word = '', count = '1'] = one.split('z')
    return word === '' ? [] : [[Number.parseInt(word, 35), Number.parseInt(count, 35)] as const]
  })

/** Makes the file durable only at its end: it has another name until then. */
export const openForBuild = (path: string): Sqlite => {
  const sqlite = openSqlite(path, 0)
  sqlite.pragma('journal_mode = OFF')
  sqlite.pragma('synchronous = OFF')
  sqlite.pragma('locking_mode = EXCLUSIVE')
  return sqlite
}

type BaseHead = Omit<DocumentHead, 'id' | 'source'>

interface BuildState {
  readonly sqlite: Sqlite
  readonly book: WordBook
  readonly statements: Readonly<Record<keyof typeof texts, Statement>>
  /** The sources that were added, with the head that those of their documents are kept as differences from. */
  readonly bases: Map<string, { readonly id: number; readonly base: BaseHead }>
  readonly facets: Array<Facet>
  readonly facetAt: Map<string, number>
  facts: RowFacts
  rows: number
  documents: number
  words: number
}

const texts = {
  source: 'SELECT id FROM source WHERE name = ?',
  newSource: 'INSERT INTO source (name, base) VALUES (?, ?)',
  rows: 'SELECT row, words FROM document WHERE source = ?',
  document: 'INSERT INTO document (row, source, head, words) VALUES (?, ?, ?, ?)',
  posting: 'INSERT INTO posting (rowid, words) VALUES (?, ?)',
  dropPosting: 'DELETE FROM posting WHERE rowid = ?',
  dropDocuments: 'DELETE FROM document WHERE source = ?',
  dropSource: 'DELETE FROM source WHERE id = ?',
} as const

/** A longer document counts as one of this length. */
const lengthMax = 0xffff

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other)

/** The fields of a head in which it differs from the first one of its source. */
const differenceOf = (head: BaseHead, base: BaseHead): Partial<BaseHead> => {
  if (head === base) return {}
  const before = new Map<string, unknown>(Object.entries(base))
  return Object.fromEntries(Object.entries(head).filter(([name, value]) => !isSame(value, before.get(name))))
}

const openState = (sqlite: Sqlite, isNew: boolean): BuildState => {
  if (isNew) createSchema(sqlite)
  const [facts, totals]: readonly [RowFacts, FactTotals] = isNew
    ? [makeFacts(0), { rows: 0, documents: 0, words: 0, facets: [] }]
    : readFacts(sqlite)
  const { rows, documents, words, facets } = totals
  return {
    sqlite,
    book: openWordBook(sqlite),
    statements: {
      source: sqlite.prepare(texts.source),
      newSource: sqlite.prepare(texts.newSource),
      rows: sqlite.prepare(texts.rows),
      document: sqlite.prepare(texts.document),
      posting: sqlite.prepare(texts.posting),
      dropPosting: sqlite.prepare(texts.dropPosting),
      dropDocuments: sqlite.prepare(texts.dropDocuments),
      dropSource: sqlite.prepare(texts.dropSource),
    },
    bases: new Map(),
    facets: [...facets],
    facetAt: new Map(facets.map((facet, at) => [JSON.stringify(facet), at])),
    facts,
    rows,
    documents,
    words,
  }
}

const sourceOf = ({ bases, statements }: BuildState, name: string, base: BaseHead) => {
  const known = bases.get(name)
  if (known !== undefined) return known
  statements.newSource.run(name, JSON.stringify(base))
  const made = { id: Number(statements.source.column(name)[0]), base }
  bases.set(name, made)
  return made
}

const facetOf = ({ facets, facetAt }: BuildState, { kind, diegesis, visibility }: Facet): number => {
  const facet: Facet = { kind, diegesis, visibility }
  const key = JSON.stringify(facet)
  const known = facetAt.get(key)
  if (known !== undefined) return known
  if (facets.length >= droppedFacet) throw new Error('the index has too many kinds of documents')
  facetAt.set(key, facets.length)
  facets.push(facet)
  return facets.length - 1
}

const dropSource = (state: BuildState, name: string): void => {
  const { bases, book, facts, statements } = state
  const [source] = statements.source.column(name)
  if (typeof source !== 'number') return
  for (const found of statements.rows.all(source)) {
    if (typeof found !== 'object' || found === null || !('row' in found) || !('words' in found)) continue
    const row = Number(found.row)
    for (const [word] of parseWords(String(found.words))) book.count(word, -1, 1)
    state.words -= facts.length[row] ?? 0
    state.documents -= 1
    facts.facet[row] = droppedFacet
    statements.dropPosting.run(row)
  }
  statements.dropDocuments.run(source)
  statements.dropSource.run(source)
  bases.delete(name)
}

/** The tokens of a text for the index, those that are remembered beside it, and how many words it has. */
const tokensOf = (book: WordBook, text: string) => {
  const counts = new Map<string, number>()
  let length = 0
  for (const word of text.split(' ')) {
    if (word === '') continue
    counts.set(word, (counts.get(word) ?? 0) + 1)
    length += 1
  }
  const [tokens, remembered]: [Array<string>, Array<string>] = [[], []]
  for (const [word, times] of counts) {
    const count = Math.min(times, countMax)
    const number = book.idOf(word)
    book.count(number, 1, count)
    for (let one = 1; one <= count; one += 1) tokens.push(wordToken(number, one))
    remembered.push(wordToken(number, count))
  }
  return { tokens: tokens.join(' '), remembered: remembered.join(' '), length: Math.min(length, lengthMax) }
}

const addDocument = (state: BuildState, document: PackedDocument): void => {
  const { words: text, id, source: name, ...head } = document
  const { book, statements } = state
  state.rows += 1
  state.documents += 1
  const { rows } = state
  if (rows > state.facts.rows) state.facts = resizeFacts(state.facts, Math.max(1024, rows * 2))
  const { facts } = state
  const source = sourceOf(state, name, head)
  const { tokens, remembered, length } = tokensOf(book, text)
  const [from, to] = dayNumbersOf(head.day)
  state.words += length
  facts.source[rows] = source.id
  facts.length[rows] = length
  facts.facet[rows] = facetOf(state, head)
  facts.from[rows] = from
  facts.to[rows] = to
  statements.posting.run(rows, tokens)
  statements.document.run(rows, source.id, JSON.stringify([id, differenceOf(head, source.base)]), remembered)
}

/**
 * The file of a large tier. `posting` has a token for each word of a document, named by the number of the word;
 * a word that occurs n times also has the tokens of 2 to n, so that counts are found by their token. The text
 * itself is in no table.
 */
const schema = `
CREATE VIRTUAL TABLE posting USING fts5(
  words, content='', contentless_delete=1, detail=none, tokenize='ascii');
CREATE TABLE word (
  id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE, documents INTEGER NOT NULL, most INTEGER NOT NULL);
CREATE TABLE source (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, base TEXT NOT NULL);
CREATE TABLE document (
  row INTEGER PRIMARY KEY, source INTEGER NOT NULL, head TEXT NOT NULL, words TEXT NOT NULL);
CREATE INDEX document_source ON document (source);
CREATE TABLE facts (name TEXT PRIMARY KEY, bytes BLOB NOT NULL);
`

const createSchema = (sqlite: Sqlite): void => sqlite.exec(schema)
