import { hash } from 'node:crypto'
import type { ShownIdTokenStore } from '#src/ports/identity.js'
import type { Migration } from './migration.js'
import type { Sqlite } from './sqlite.js'

export const shownIdTokenMigrations: ReadonlyArray<Migration> = [
  {
    number: 35,
    sql: `
      CREATE TABLE shown_id_tokens (
        hash TEXT PRIMARY KEY,
        expires_ms INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX shown_id_tokens_expires ON shown_id_tokens (expires_ms);
    `,
  },
]

/**
 * The shown id tokens of this host in the runtime database, by their hash. The unique key decides: one INSERT
 * succeeds.
 */
export const openShownIdTokens = (database: Sqlite): ShownIdTokenStore => {
  const sweep = database.prepare('DELETE FROM shown_id_tokens WHERE expires_ms <= ?')
  const insert = database.prepare(
    'INSERT INTO shown_id_tokens (hash, expires_ms) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  return {
    keep: (text, refusedFromMs, nowMs) =>
      database.transaction(() => {
        sweep.run(nowMs)
        return insert.run(hash('sha256', text, 'hex'), refusedFromMs) === 1
      }),
  }
}
