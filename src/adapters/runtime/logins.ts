import { hash } from 'node:crypto'
import * as t from 'io-ts'
import type { LoginStore, NamedToken, NamedTokenStore, ShownIdTokenStore } from '#src/ports/identity.js'
import type { OwedLines } from './owed-audit.js'
import { decodeRows, jsonOf, type Migration, type Sqlite } from './sqlite.js'

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

export const namedTokenMigrations: ReadonlyArray<Migration> = [
  {
    number: 20,
    sql: `
      CREATE TABLE named_tokens (
        id TEXT PRIMARY KEY,
        hash TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        capabilities TEXT NOT NULL,
        created_ms INTEGER NOT NULL,
        expires_ms INTEGER,
        minted_by TEXT NOT NULL
      ) STRICT;
      CREATE INDEX named_tokens_expires ON named_tokens (expires_ms) WHERE expires_ms IS NOT NULL;
    `,
  },
]

/** The named tokens of this host in the runtime database. */
export const openNamedTokens = (database: Sqlite, owed: OwedLines): NamedTokenStore => {
  const insert = database.prepare(
    `INSERT INTO named_tokens (id, hash, name, capabilities, created_ms, expires_ms, minted_by)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const sweep = database.prepare(
    `DELETE FROM named_tokens WHERE hash IN
     (SELECT hash FROM named_tokens WHERE expires_ms <= ? ORDER BY expires_ms LIMIT ?) RETURNING hash`,
  )
  const outstanding = database.prepare(
    'SELECT * FROM named_tokens WHERE expires_ms IS NULL OR expires_ms > ? ORDER BY created_ms, rowid',
  )
  const remove = database.prepare('DELETE FROM named_tokens WHERE id = ?')
  return {
    keep: (hash, { id, name, capabilities, createdMs, expiresMs, by }, line) =>
      owed.transaction(() => {
        const swept = decodeRows('named_tokens', HashRow, sweep.all(createdMs, sweptMax))
        insert.run(id, hash, name, JSON.stringify(capabilities), createdMs, expiresMs, by)
        owed.keep(line, createdMs)
        return swept.map(row => row.hash)
      }),
    outstanding: nowMs =>
      new Map(
        decodeRows('named_tokens', TokenRow, outstanding.all(nowMs)).map(row => [row.hash, tokenOf(row)]),
      ),
    forget: (id, line, nowMs) =>
      owed.transaction(() => {
        remove.run(id)
        owed.keep(line, nowMs)
      }),
  }
}

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

const Row = t.type({
  hash: t.string,
  game_id: t.string,
  chat_id: t.union([t.string, t.null]),
  created_ms: t.number,
  expires_ms: t.number,
})
const HashRow = t.type({ hash: t.string })

const TokenRow = t.type({
  id: t.string,
  hash: t.string,
  name: t.string,
  capabilities: t.string,
  created_ms: t.number,
  expires_ms: t.union([t.number, t.null]),
  minted_by: t.string,
})
const Capabilities = t.array(t.string)

const tokenOf = (row: t.TypeOf<typeof TokenRow>): NamedToken => ({
  id: row.id,
  name: row.name,
  capabilities: decodeRows('named_tokens', Capabilities, [jsonOf(row.capabilities)]).flat(),
  createdMs: row.created_ms,
  expiresMs: row.expires_ms,
  by: row.minted_by,
})
