import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { Sqlite } from '#src/adapters/sqlite.js'

/**
 * One step of the schema. Numbers count from 1 without a hole over all families; a step that was released never
 * changes.
 */
export interface Migration {
  readonly number: number
  readonly sql: string
}

const versionOf = (database: Sqlite): number => {
  const version = database.pragma('user_version')
  if (typeof version !== 'number') throw new Error('user_version is no number')
  return version
}

/**
 * Brings the schema up to date in one transaction. Left: the schema is newer than this build, with both numbers.
 */
export const migrate = (
  database: Sqlite,
  migrations: ReadonlyArray<Migration>,
): Either<{ readonly found: number; readonly known: number }, void> =>
  database.transaction(() => {
    const found = versionOf(database)
    const known = migrations.length
    if (found > known) return left({ found, known })
    for (const { number, sql } of migrations.slice(found)) {
      database.exec(sql)
      database.exec(`PRAGMA user_version = ${number}`)
    }
    return right(undefined)
  })
