import * as t from 'io-ts'
import type { LoginStore } from '#src/ports/identity.js'
import type { Migration } from './migration.js'
import { decodeRows } from './rows.js'
import type { Sqlite } from './sqlite.js'

export const loginMigrations: ReadonlyArray<Migration> = [
  {
    number: 10,
    sql: `
      CREATE TABLE sessions (
        hash TEXT PRIMARY KEY,
        game_id TEXT NOT NULL,
        chat_id TEXT,
        created_ms INTEGER NOT NULL,
        expires_ms INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX sessions_expires ON sessions (expires_ms);
    `,
  },
]

const Row = t.type({
  hash: t.string,
  game_id: t.string,
  chat_id: t.union([t.string, t.null]),
  created_ms: t.number,
  expires_ms: t.number,
})
const HashRow = t.type({ hash: t.string })

/** The most expired logins that one call deletes: more than one, so that a backlog shrinks. */
export const sweptMax = 64

/** The logins of this host in the runtime database. */
export const loginsIn = (database: Sqlite): LoginStore => {
  const insert = database.prepare(
    'INSERT INTO sessions (hash, game_id, chat_id, created_ms, expires_ms) VALUES (?, ?, ?, ?, ?)',
  )
  const sweep = database.prepare(
    `DELETE FROM sessions WHERE hash IN
     (SELECT hash FROM sessions WHERE expires_ms <= ? ORDER BY expires_ms LIMIT ?) RETURNING hash`,
  )
  const outstanding = database.prepare(
    'SELECT * FROM sessions WHERE expires_ms > ? ORDER BY created_ms, rowid',
  )
  return {
    keep: (hash, { gameId, chatId, createdMs, expiresMs }) =>
      database.transaction(() => {
        const swept = decodeRows('sessions', HashRow, sweep.all(createdMs, sweptMax))
        insert.run(hash, gameId, chatId, createdMs, expiresMs)
        return swept.map(row => row.hash)
      }),
    outstanding: nowMs =>
      new Map(
        decodeRows('sessions', Row, outstanding.all(nowMs)).map(row => [
          row.hash,
          { gameId: row.game_id, chatId: row.chat_id, createdMs: row.created_ms, expiresMs: row.expires_ms },
        ]),
      ),
  }
}
