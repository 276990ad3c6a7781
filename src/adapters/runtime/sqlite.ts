import { basename } from 'node:path'
import Database from 'better-sqlite3'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type Store, type StoreError, storeErrors, stores } from '#protocol/host/metrics.js'
import { processMeter } from '#src/adapters/metrics/process-meter.js'

/** The value of a column. */
export type SqlValue = string | number | null | Uint8Array

/** A prepared statement. `run` returns how many rows it changed; `all` returns undecoded rows. */
export interface Statement {
  readonly run: (...values: ReadonlyArray<SqlValue>) => number
  readonly all: (...values: ReadonlyArray<SqlValue>) => ReadonlyArray<unknown>
  /** The first column of each row. Not for a statement that `all` also reads. */
  readonly column: (...values: ReadonlyArray<SqlValue>) => ReadonlyArray<unknown>
}

/** An open SQLite file. Every call blocks until the file answers, and throws an error with SQLite's code. */
export interface Sqlite {
  readonly exec: (sql: string) => void
  /** The first value that a pragma returns. */
  readonly pragma: (text: string) => unknown
  readonly prepare: (sql: string) => Statement
  /** Runs the work in one transaction that holds the write lock from its start; a throw rolls it back. */
  readonly transaction: <A>(work: () => A) => A
  readonly close: () => void
}

/**
 * Opens a file, or creates it unless it is only read. `timeoutMs` is how long a call waits for a lock of
 * another connection.
 */
export const openSqlite = (path: string, timeoutMs: number, access: 'read' | 'write' = 'write'): Sqlite => {
  const database = new Database(path, { timeout: timeoutMs, readonly: access === 'read' })
  kept.add(database)
  const prepared = new Map<string, Database.Statement>()
  const statementOf = (sql: string): Database.Statement => {
    const statement = prepared.get(sql) ?? database.prepare(sql)
    prepared.set(sql, statement)
    kept.add(statement)
    return statement
  }
  const store = meterStore(storeOf(path), sqliteCode)
  const transact = openTransactions(database)
  const pragma = (text: string): unknown => {
    const statement = statementOf(`PRAGMA ${text}`)
    if (statement.reader) return statement.pluck().get()
    statement.run()
    return undefined
  }
  return {
    exec: sql => void meterCall(database, store.call, () => database.exec(sql)),
    pragma: text => meterCall(database, store.call, () => pragma(text)),
    prepare: sql => statementIn(database, statementOf(sql), store),
    transaction: work => meterCall(database, store.write, () => transact(work)),
    close: () => void database.close(),
  }
}

/** The code of an error of SQLite, such as `SQLITE_BUSY`; null for any other error. */
export const sqliteCode = (error: unknown): string | null =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  error.code.startsWith('SQLITE_')
    ? error.code
    : null

/** Decodes rows with their codec. Throws for a row that does not decode: this program did not write it. */
export const decodeRows = <A>(
  table: string,
  codec: t.Decoder<unknown, A>,
  rows: ReadonlyArray<unknown>,
): ReadonlyArray<A> =>
  rows.map(row => {
    const decoded = codec.decode(row)
    if (isLeft(decoded)) throw new Error(`runtime.db: a row of ${table} does not match its codec`)
    return decoded.right
  })

/** Parses a column of JSON text; undefined, which no codec accepts, where it is invalid. */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * One step of the schema. Numbers are unique over all families, and each family has its own range, so that
 * two can grow independently. A released step never changes.
 */
export interface Migration {
  readonly number: number
  readonly sql: string
}

/**
 * Runs the steps that a database lacks, in one transaction. Left: the database has a step that this build
 * does not know, and the highest step that it knows.
 */
export const migrate = (
  database: Sqlite,
  migrations: ReadonlyArray<Migration>,
): Either<{ readonly found: number; readonly known: number }, void> =>
  database.transaction(() => {
    const done = stepsOf(database)
    const known = Math.max(0, ...migrations.map(one => one.number))
    const strange = done.filter(number => migrations.every(one => one.number !== number))
    if (strange.length > 0) return left({ found: Math.max(...strange), known })
    database.exec('CREATE TABLE IF NOT EXISTS schema_steps (number INTEGER PRIMARY KEY) STRICT')
    const record = database.prepare('INSERT OR IGNORE INTO schema_steps (number) VALUES (?)')
    for (const number of done) record.run(number)
    for (const { number, sql } of migrations) {
      if (done.includes(number)) continue
      database.exec(sql)
      record.run(number)
    }
    // For an older build, which reads only this: it knows fewer steps, and refuses the database.
    database.exec(`PRAGMA user_version = ${known}`)
    return right(undefined)
  })

/**
 * Every file and statement that was opened, for the lifetime of the process: a current Node aborts the
 * process when the garbage collector frees one of them (ADR 1012). Equal texts share a statement, so that the
 * number stays small.
 */
const kept = new Set<Database.Database | Database.Statement>()

/** Runs a call, and meters it unless it is part of a transaction, which is metered as a whole. */
const meterCall = <A>(database: Database.Database, meter: <B>(work: () => B) => B, work: () => A): A =>
  database.inTransaction ? work() : meter(work)

const statementIn = (
  database: Database.Database,
  statement: Database.Statement,
  store: StoreMeter,
): Statement => {
  const meter = statement.readonly ? store.call : store.write
  return {
    run: (...values) => meterCall(database, meter, () => statement.run(...values).changes),
    all: (...values) => meterCall(database, meter, () => statement.all(...values)),
    column: (...values) => meterCall(database, meter, () => statement.pluck().all(...values)),
  }
}

/**
 * Runs work in a transaction, or in a savepoint of the one that is open. The library makes a new transaction function
 * slowly, so each file has one, from its first transaction on.
 */
const openTransactions = (database: Database.Database): Sqlite['transaction'] => {
  const make = () => database.transaction((work: () => unknown) => work())
  let inTransaction: ReturnType<typeof make> | null = null
  return work => {
    inTransaction ??= make()
    const results: Array<ReturnType<typeof work>> = []
    inTransaction.immediate(() => {
      const result = work()
      results.push(result)
      return result
    })
    for (const result of results) return result
    throw new Error('SQLite did not run a transaction')
  }
}

const StepRow = t.type({ number: t.number })

/** Older databases count their steps in `user_version`, from 1 (ADR 1012). */
const stepsByVersion = (database: Sqlite): ReadonlyArray<number> => {
  const version = database.pragma('user_version')
  if (typeof version !== 'number') throw new Error('user_version is no number')
  return Array.from({ length: version }, (_, at) => at + 1)
}

const isRecorded = (database: Sqlite): boolean =>
  database.prepare(`SELECT name FROM sqlite_schema WHERE name = 'schema_steps'`).all().length > 0

const stepsOf = (database: Sqlite): ReadonlyArray<number> =>
  isRecorded(database)
    ? decodeRows('schema_steps', StepRow, database.prepare('SELECT number FROM schema_steps').all()).map(
        row => row.number,
      )
    : stepsByVersion(database)

/** Meters the calls of one file of SQLite. Each runs its argument and returns or throws what that does. */
interface StoreMeter {
  /** Counts an error. */
  readonly call: <A>(work: () => A) => A
  /** Counts an error, and times a write that ends well. */
  readonly write: <A>(work: () => A) => A
}

/** The store at a path; a file of another name is an index of the search. */
const storeOf = (path: string): Store => stores.find(store => basename(path) === `${store}.db`) ?? 'search'

/** The primary code of an extended one: `SQLITE_IOERR_WRITE` is an `ioerr`. */
const labelError = (code: string): StoreError => {
  const primary = /^SQLITE_([A-Z]+)/.exec(code)?.[1]?.toLowerCase()
  return storeErrors.find(known => known === primary) ?? 'other'
}

/** `codeOf` returns the code of an error of SQLite; null for any other error. */
const meterStore = (store: Store, codeOf: (error: unknown) => string | null): StoreMeter => {
  const call: StoreMeter['call'] = work => {
    try {
      return work()
    } catch (error) {
      const code = codeOf(error)
      if (code !== null) processMeter.count('svc_store_errors_total', { store, code: labelError(code) })
      throw error
    }
  }
  return {
    call,
    write: work => {
      const sinceMs = performance.now()
      const done = call(work)
      processMeter.observe('svc_store_transaction_seconds', { store }, (performance.now() - sinceMs) / 1_000)
      return done
    },
  }
}
