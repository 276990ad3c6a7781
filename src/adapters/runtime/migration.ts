import { type Either, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { decodeRows } from './rows.js'
import type { Sqlite } from './sqlite.js'

/**
 * One step of the schema. Numbers are unique over all families, and each family has its own range, so that
 * two can grow independently. A released step never changes.
 */
export interface Migration {
  readonly number: number
  readonly sql: string
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
