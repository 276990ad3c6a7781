import type { Facet } from '#src/domain/search/admit.js'
import type { DocumentHead } from '#src/domain/search/document.js'
import type { Sqlite } from '../runtime/sqlite.js'
import { countMax, createSchema, parseWords, tokenOf } from './fts5-schema.js'
import type { PackedDocument } from './packed-document.js'
import {
  daysOf,
  droppedFacet,
  type FactTotals,
  makeFacts,
  type RowFacts,
  readFacts,
  resizeFacts,
  writeFacts,
} from './row-facts.js'

/** Changes an FTS5 index. Nothing is complete before `finish`. */
export interface Fts5Build {
  readonly drop: (source: string) => void
  readonly add: (document: PackedDocument) => void
  readonly documents: () => number
  /** Writes the sums. The file is not closed. */
  readonly finish: () => void
}

type Base = Omit<DocumentHead, 'id' | 'source'>

/** The fields of a head in which it differs from the first one of its source. */
const differenceOf = (head: Base, base: Base): Partial<Base> =>
  Object.fromEntries(
    Object.entries(head).filter(
      ([name, value]) =>
        JSON.stringify(value) !== JSON.stringify(Object.entries(base).find(([key]) => key === name)?.[1]),
    ),
  )

const lengthMax = 0xffff

/** Numbers the words of an index and sums the changes of their frequencies. */
const wordBook = (sqlite: Sqlite) => {
  const find = sqlite.prepare('SELECT id FROM word WHERE word = ?')
  const insert = sqlite.prepare('INSERT INTO word (word, documents, most) VALUES (?, 0, 1)')
  const update = sqlite.prepare('UPDATE word SET documents = documents + ?, most = max(most, ?) WHERE id = ?')
  const ids = new Map<string, number>()
  const changes = new Map<number, { by: number; most: number }>()
  return {
    idOf: (word: string): number => {
      const known = ids.get(word) ?? find.column(word)[0]
      if (typeof known === 'number') {
        ids.set(word, known)
        return known
      }
      insert.run(word)
      const made = Number(find.column(word)[0])
      ids.set(word, made)
      return made
    },
    count: (id: number, by: 1 | -1, most: number): void => {
      const change = changes.get(id) ?? { by: 0, most: 1 }
      change.by += by
      change.most = Math.max(change.most, most)
      changes.set(id, change)
    },
    flush: (): void => {
      for (const [id, { by, most }] of changes) update.run(by, most, id)
      changes.clear()
    },
  }
}

/** Begins the changes of an open index, or of an empty file when `isNew`. */
export const fts5Build = (sqlite: Sqlite, isNew: boolean): Fts5Build => {
  if (isNew) createSchema(sqlite)
  const opened: readonly [RowFacts, FactTotals] = isNew
    ? [makeFacts(0), { rows: 0, documents: 0, words: 0, facets: [] }]
    : readFacts(sqlite)
  let [facts] = opened
  const [, before] = opened
  let { rows, documents, words } = before
  const facets: Array<Facet> = [...before.facets]
  const facetAt = new Map(facets.map((facet, at) => [JSON.stringify(facet), at]))
  const book = wordBook(sqlite)
  const bases = new Map<string, { readonly id: number; readonly base: Base }>()
  const statements = {
    source: sqlite.prepare('SELECT id FROM source WHERE name = ?'),
    newSource: sqlite.prepare('INSERT INTO source (name, base) VALUES (?, ?)'),
    rows: sqlite.prepare('SELECT row, words FROM document WHERE source = ?'),
    document: sqlite.prepare('INSERT INTO document (row, source, head, words) VALUES (?, ?, ?, ?)'),
    posting: sqlite.prepare('INSERT INTO posting (rowid, words) VALUES (?, ?)'),
    dropPosting: sqlite.prepare('DELETE FROM posting WHERE rowid = ?'),
    dropDocuments: sqlite.prepare('DELETE FROM document WHERE source = ?'),
    dropSource: sqlite.prepare('DELETE FROM source WHERE id = ?'),
  }
  const sourceOf = (name: string, base: Base): { readonly id: number; readonly base: Base } => {
    const known = bases.get(name)
    if (known !== undefined) return known
    statements.newSource.run(name, JSON.stringify(base))
    const made = { id: Number(statements.source.column(name)[0]), base }
    bases.set(name, made)
    return made
  }
  const facetOf = ({ kind, diegesis, visibility }: Facet): number => {
    const facet = { kind, diegesis, visibility }
    const key = JSON.stringify(facet)
    const known = facetAt.get(key)
    if (known !== undefined) return known
    if (facets.length >= droppedFacet) throw new Error('the index has too many kinds of documents')
    facets.push(facet)
    facetAt.set(key, facets.length - 1)
    return facets.length - 1
  }
  sqlite.exec('BEGIN')
  return {
    documents: () => documents,
    drop: name => {
      const [source] = statements.source.column(name)
      if (typeof source !== 'number') return
      for (const found of statements.rows.all(source)) {
        if (typeof found !== 'object' || found === null || !('row' in found) || !('words' in found)) continue
        const row = Number(found.row)
        for (const [word] of parseWords(String(found.words))) book.count(word, -1, 1)
        words -= facts.length[row] ?? 0
        documents -= 1
        facts.facet[row] = droppedFacet
        statements.dropPosting.run(row)
      }
      statements.dropDocuments.run(source)
      statements.dropSource.run(source)
      bases.delete(name)
    },
    add: ({ words: text, id, source: name, ...base }) => {
      const counts = new Map<string, number>()
      let length = 0
      for (const word of text.split(' ')) {
        if (word === '') continue
        counts.set(word, (counts.get(word) ?? 0) + 1)
        length += 1
      }
      rows += 1
      documents += 1
      if (rows > facts.rows) facts = resizeFacts(facts, Math.max(1024, facts.rows * 2))
      const source = sourceOf(name, base)
      const [tokens, remembered]: [Array<string>, Array<string>] = [[], []]
      for (const [word, times] of counts) {
        const count = Math.min(times, countMax)
        const number = book.idOf(word)
        book.count(number, 1, count)
        for (let one = 1; one <= count; one += 1) tokens.push(tokenOf(number, one))
        remembered.push(tokenOf(number, count))
      }
      facts.source[rows] = source.id
      facts.length[rows] = Math.min(length, lengthMax)
      words += Math.min(length, lengthMax)
      facts.facet[rows] = facetOf(base)
      const [from, to] = daysOf(base.day)
      facts.from[rows] = from
      facts.to[rows] = to
      statements.posting.run(rows, tokens.join(' '))
      statements.document.run(
        rows,
        source.id,
        JSON.stringify([id, differenceOf(base, source.base)]),
        remembered.join(' '),
      )
    },
    finish: () => {
      book.flush()
      writeFacts(sqlite, resizeFacts(facts, rows), { rows, documents, words, facets })
      sqlite.exec('COMMIT')
    },
  }
}
