import { right } from 'fp-ts/lib/Either.js'
import { openShownIdTokens, shownIdTokenMigrations } from '#src/adapters/runtime/logins.js'
import { openSqlite } from '#src/adapters/runtime/sqlite.js'
import { firstShowingIn } from '#src/node/identity/sign-in.js'
import type { IsFirstShowing } from '#src/ports/identity.js'

/** Treats every token as shown for the first time, for tests that send one request many times. */
export const alwaysFirst: IsFirstShowing = () => right(true)

const openFirstShowing = (): IsFirstShowing => {
  const database = openSqlite(':memory:', 0)
  for (const { sql } of shownIdTokenMigrations) database.exec(sql)
  return firstShowingIn(openShownIdTokens(database))
}

/** The node's store over SQLite in memory, created at its first use: most tests never need it. */
export const firstShowingInMemory = (): IsFirstShowing => {
  let made: IsFirstShowing | null = null
  return (...asked) => {
    made ??= openFirstShowing()
    return made(...asked)
  }
}
