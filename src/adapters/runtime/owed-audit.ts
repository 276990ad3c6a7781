import * as t from 'io-ts'
import { AuditLine, keyOf } from '#protocol/host/events.js'
import type { OwedAudit } from '#src/ports/records.js'
import { decodeRows, jsonOf, type Migration, type Sqlite } from './sqlite.js'

export const owedAuditMigrations: ReadonlyArray<Migration> = [
  {
    number: 50,
    // AUTOINCREMENT: a row of this boot must never reuse a number of an earlier boot.
    sql: `
      CREATE TABLE owed_audit (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT NOT NULL,
        intent TEXT,
        at_ms INTEGER NOT NULL,
        line TEXT NOT NULL
      ) STRICT;
      CREATE INDEX owed_audit_key ON owed_audit (key);
      CREATE INDEX owed_audit_intent ON owed_audit (intent) WHERE intent IS NOT NULL;
    `,
  },
]

/**
 * The owed audit lines of this host, with the operations for stores that add lines within their own
 * transactions.
 */
export interface OwedLines extends OwedAudit {
  /** Stores a line, within a transaction of the caller. */
  readonly keep: (line: AuditLine, atMs: number, intent?: string) => void
  /** Deletes the lines of a write that was never committed, within a transaction of the caller. */
  readonly drop: (intent: string) => void
  /** Counts the lines of a write of this boot among those of earlier ones: nothing else writes them. */
  readonly release: (intent: string) => void
  /**
   * Runs work that stores lines in one transaction, which also deletes the paid ones: they need no fsync of
   * their own.
   */
  readonly transaction: <A>(work: () => A) => A
  readonly close: () => void
}

/** The audit lines that are owed, in the runtime database. Uses the table `owed_audit`, which must exist. */
export const openOwedAudit = (database: Sqlite): OwedLines => {
  const insert = database.prepare('INSERT INTO owed_audit (key, intent, at_ms, line) VALUES (?, ?, ?, ?)')
  const byKey = database.prepare('DELETE FROM owed_audit WHERE key = ?')
  const byIntent = database.prepare('DELETE FROM owed_audit WHERE intent = ?')
  const standing = database.prepare(
    `SELECT o.key, o.at_ms, o.line, i.commit_id FROM owed_audit o LEFT JOIN intents i ON i.id = o.intent
     WHERE (o.number <= ? OR o.intent IN (SELECT value FROM json_each(?)))
       AND (o.intent IS NULL OR i.state = 'done') ORDER BY o.number`,
  )
  const last = database.prepare('SELECT max(number) AS last FROM owed_audit').all()
  const lastBefore = decodeRows('owed_audit', Last, last)[0]?.last ?? 0
  const released = new Set<string>()
  let paid: ReadonlyArray<string> = []
  const transaction = <A>(work: () => A): A => {
    const gone = paid
    const done = database.transaction(() => {
      for (const key of gone) byKey.run(key)
      return work()
    })
    paid = paid.slice(gone.length)
    return done
  }
  return {
    before: () =>
      decodeRows('owed_audit', Row, standing.all(lastBefore, JSON.stringify([...released]))).map(
        ({ key, at_ms: atMs, line, commit_id }) => {
          const [kept] = decodeRows('owed_audit', AuditLine, [jsonOf(line)])
          if (kept === undefined) throw new Error('a row has a line')
          return { key, atMs, line: commit_id === null ? kept : { ...kept, commit: commit_id } }
        },
      ),
    paid: keys => {
      paid = [...paid, ...keys]
    },
    keep: (line, atMs, intent) => {
      const key = keyOf(line)
      if (key === null) throw new Error('a line that is owed names its write or its token')
      insert.run(key, intent ?? null, atMs, JSON.stringify(line))
    },
    drop: intent => void byIntent.run(intent),
    release: intent => void released.add(intent),
    transaction,
    close: () => {
      if (paid.length > 0) transaction(() => undefined)
    },
  }
}

const Last = t.type({ last: t.union([t.number, t.null]) })
const Row = t.type({
  key: t.string,
  at_ms: t.number,
  line: t.string,
  commit_id: t.union([t.string, t.null]),
})
