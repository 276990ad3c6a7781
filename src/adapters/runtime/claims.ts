import * as t from 'io-ts'
import type { ClaimStore } from '#src/ports/identity.js'
import type { Migration } from './migration.js'
import { decodeRows } from './rows.js'
import type { Sqlite } from './sqlite.js'

export const claimMigrations: ReadonlyArray<Migration> = [
  {
    number: 40,
    sql: `
      CREATE TABLE claims (
        code_hash TEXT PRIMARY KEY,
        sealed TEXT NOT NULL,
        game_id TEXT NOT NULL,
        expires_ms INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX claims_expires ON claims (expires_ms);
    `,
  },
]

const Row = t.type({ sealed: t.string, game_id: t.string })

/** The claims of this host in the runtime database. One DELETE that returns the claim takes it. */
export const claimsIn = (database: Sqlite): ClaimStore => {
  const insert = database.prepare(
    'INSERT INTO claims (code_hash, sealed, game_id, expires_ms) VALUES (?, ?, ?, ?)',
  )
  const sweep = database.prepare('DELETE FROM claims WHERE expires_ms <= ?')
  const take = database.prepare(
    'DELETE FROM claims WHERE code_hash = ? AND expires_ms > ? RETURNING sealed, game_id',
  )
  const drop = database.prepare('DELETE FROM claims WHERE code_hash = ?')
  return {
    keep: ({ codeHash, sealed, gameId, expiresMs }, nowMs) =>
      database.transaction(() => {
        sweep.run(nowMs)
        insert.run(codeHash, sealed, gameId, expiresMs)
      }),
    take: (codeHash, nowMs) => {
      const [row] = decodeRows('claims', Row, take.all(codeHash, nowMs))
      return row === undefined ? null : { sealed: row.sealed, gameId: row.game_id }
    },
    drop: codeHash => {
      drop.run(codeHash)
    },
  }
}
