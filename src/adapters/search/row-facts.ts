import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { DayRange } from '#src/domain/search/document.js'
import type { Facet } from '#src/domain/search/ranking.js'
import type { Sqlite } from '../runtime/sqlite.js'

/** What ranking needs of each row, in columns by row. Row 0 is unused. */
export interface RowFacts {
  readonly rows: number
  readonly source: Uint32Array
  readonly length: Uint16Array
  /** The place of the row's facet in `facets`; `droppedFacet` for a row that there is not. */
  readonly facet: Uint16Array
  /** First and last day as `yyyymmdd`; 0 for an undated row. */
  readonly from: Uint32Array
  readonly to: Uint32Array
}

export const droppedFacet = 0xffff

export const makeFacts = (rows: number): RowFacts => ({
  rows,
  source: new Uint32Array(rows + 1),
  length: new Uint16Array(rows + 1),
  facet: new Uint16Array(rows + 1).fill(droppedFacet),
  from: new Uint32Array(rows + 1),
  to: new Uint32Array(rows + 1),
})

/** A copy with more or fewer rows. */
export const resizeFacts = (facts: RowFacts, rows: number): RowFacts => {
  const resized = makeFacts(rows)
  for (const name of columns) resized[name].set(facts[name].subarray(0, rows + 1))
  return resized
}

/** A day as a number that orders as days do; 0 for none. */
export const dayNumber = (day: string | undefined): number =>
  day === undefined ? 0 : Number(day.replaceAll('-', ''))

export const dayNumbersOf = (day: DayRange | null): readonly [number, number] => [
  dayNumber(day?.from),
  dayNumber(day?.to),
]

export interface FactTotals {
  readonly rows: number
  readonly documents: number
  readonly words: number
  readonly facets: ReadonlyArray<Facet>
}

export const writeFacts = (sqlite: Sqlite, facts: RowFacts, totals: FactTotals): void => {
  const insert = sqlite.prepare('INSERT OR REPLACE INTO facts (name, bytes) VALUES (?, ?)')
  for (const name of columns) insert.run(name, bytesOf(facts[name]))
  insert.run('totals', Buffer.from(JSON.stringify(totals)))
}

/** Reads what `writeFacts` wrote; throws where it is not that. */
export const readFacts = (sqlite: Sqlite): readonly [RowFacts, FactTotals] => {
  const totals = Totals.decode(JSON.parse(Buffer.from(readBytes(sqlite, 'totals')).toString('utf8')))
  if (isLeft(totals)) throw new Error('the totals of the index are unreadable')
  const facts = makeFacts(totals.right.rows)
  for (const name of columns) bytesOf(facts[name]).set(readBytes(sqlite, name))
  return [facts, totals.right]
}

/** The versions of the sources that the index was built from. */
export const readVersions = (sqlite: Sqlite): ReadonlyArray<readonly [source: string, version: string]> => {
  const versions = Versions.decode(JSON.parse(Buffer.from(readBytes(sqlite, 'versions')).toString('utf8')))
  if (isLeft(versions)) throw new Error('the versions of the index are unreadable')
  return versions.right
}

export const writeVersions = (
  sqlite: Sqlite,
  versions: ReadonlyArray<readonly [source: string, version: string]>,
): void =>
  void sqlite
    .prepare('INSERT OR REPLACE INTO facts (name, bytes) VALUES (?, ?)')
    .run('versions', Buffer.from(JSON.stringify(versions)))

const columns = ['source', 'length', 'facet', 'from', 'to'] as const

/** What the file keeps beside the columns. */
const Totals = t.type({
  rows: t.number,
  documents: t.number,
  words: t.number,
  facets: t.array(t.type({ kind: t.string, diegesis: t.union([t.string, t.null]), visibility: t.string })),
})

const bytesOf = (array: Uint16Array | Uint32Array): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength)

const readBytes = (sqlite: Sqlite, name: string): Uint8Array => {
  const [bytes] = sqlite.prepare('SELECT bytes FROM facts WHERE name = ?').column(name)
  if (!(bytes instanceof Uint8Array)) throw new Error(`the index has no column ${name}`)
  return bytes
}

const Versions = t.array(t.tuple([t.string, t.string]))
