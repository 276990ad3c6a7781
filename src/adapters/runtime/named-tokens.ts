import * as t from 'io-ts'
import type { NamedToken, NamedTokenStore } from '#src/ports/identity.js'
import type { Migration } from './migration.js'
import type { OwedLines } from './owed-audit.js'
import { decodeRows, jsonOf } from './rows.js'
import type { Sqlite } from './sqlite.js'

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

const TokenRow = t.type({
  id: t.string,
  hash: t.string,
  name: t.string,
  capabilities: t.string,
  created_ms: t.number,
  expires_ms: t.union([t.number, t.null]),
  minted_by: t.string,
})
const HashRow = t.type({ hash: t.string })
const Capabilities = t.array(t.string)

const tokenOf = (row: t.TypeOf<typeof TokenRow>): NamedToken => ({
  id: row.id,
  name: row.name,
  capabilities: decodeRows('named_tokens', Capabilities, [jsonOf(row.capabilities)]).flat(),
  createdMs: row.created_ms,
  expiresMs: row.expires_ms,
  by: row.minted_by,
})

/** The most expired tokens that one call deletes. */
const sweptMax = 64

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
