import { right } from 'fp-ts/lib/Either.js'
import { claimMigrations, claimsIn } from '#src/adapters/runtime/runtime-db.js'
import { openSqlite } from '#src/adapters/runtime/sqlite.js'
import { claimTtlMs, openApiKeys } from '#src/node/identity/identity.js'
import type { ApiKeys, ClaimStore } from '#src/ports/identity.js'

/** The node's claims over SQLite in memory. */
export const claimsInMemory = (): ClaimStore => {
  const database = openSqlite(':memory:', 0)
  for (const { sql } of claimMigrations) database.exec(sql)
  return claimsIn(database)
}

/** The node's desk, created at its first use: most tests never need it. */
export const apiKeysInMemory = (): ApiKeys => {
  let made: ApiKeys | null = null
  const desk = (): ApiKeys => {
    made ??= openApiKeys(claimsInMemory())
    return made
  }
  return {
    mint: (...asked) => desk().mint(...asked),
    withdraw: code => desk().withdraw(code),
    claim: (...asked) => desk().claim(...asked),
  }
}

/** A code that the desk below accepts any number of times, for tests that compare answers. */
export const sampleCode = 'c0de'.repeat(16)

/** A desk that always mints the same key. */
export const sameKey = (): ApiKeys => ({
  mint: (_gameId, nowMs) => right({ hash: 'ab'.repeat(32), code: sampleCode, expiresMs: nowMs + claimTtlMs }),
  withdraw: () => undefined,
  claim: code => right(code === sampleCode ? { key: 'apik_of-the-tests', gameId: '41001' } : null),
})

const full = (): never => {
  throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
}

/** Claims on a full disk. */
export const sqliteFull: ClaimStore = { keep: full, take: full, drop: full }
