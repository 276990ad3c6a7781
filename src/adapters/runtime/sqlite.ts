import Database from 'better-sqlite3'
import { meterStore, type StoreMeter, storeOf } from './meter-store.js'

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
