import * as t from 'io-ts'
import { LogFailure } from '#protocol/transcripts/log-writes.js'
import type { LogAttempts } from '#src/ports/log-fetching.js'
import { decodeRows, type Migration, type Sqlite } from './sqlite.js'

export const logAttemptMigrations: ReadonlyArray<Migration> = [
  {
    number: 100,
    sql: `
      CREATE TABLE log_attempts (
        address TEXT PRIMARY KEY,
        reason TEXT NOT NULL,
        status INTEGER,
        attempts INTEGER NOT NULL,
        at_ms INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
    `,
  },
]

/** The failure markers in the runtime database; one is forgotten `ttlMs` after its last attempt. */
export const logAttemptsIn = (database: Sqlite): ((ttlMs: number) => LogAttempts) => {
  const all = database.prepare(
    'SELECT address, reason, status, attempts, at_ms FROM log_attempts WHERE at_ms > ?',
  )
  const sweep = database.prepare('DELETE FROM log_attempts WHERE at_ms <= ?')
  const add = database.prepare(`
    INSERT INTO log_attempts (address, reason, status, attempts, at_ms) VALUES (?, ?, ?, 1, ?)
    ON CONFLICT (address) DO UPDATE SET
      reason = excluded.reason, status = excluded.status, attempts = attempts + 1, at_ms = excluded.at_ms
  `)
  const drop = database.prepare('DELETE FROM log_attempts WHERE address = ?')
  return ttlMs => ({
    all: nowMs =>
      new Map(
        decodeRows('log_attempts', Row, all.all(nowMs - ttlMs)).map(
          ({ at_ms: atMs, ...row }) => [row.address, { ...row, atMs }] as const,
        ),
      ),
    failed: (address, reason, status, nowMs) =>
      database.transaction(() => {
        sweep.run(nowMs - ttlMs)
        add.run(address, reason, status, nowMs)
      }),
    taken: address => {
      drop.run(address)
    },
  })
}

const Row = t.type({
  address: t.string,
  reason: LogFailure,
  status: t.union([t.number, t.null]),
  attempts: t.number,
  at_ms: t.number,
})
