import * as t from 'io-ts'
import type { RosterFetches } from '#src/ports/roster.js'
import type { Migration } from './migration.js'
import { decodeRows } from './rows.js'
import type { Sqlite } from './sqlite.js'

export const rosterFetchMigrations: ReadonlyArray<Migration> = [
  {
    number: 60,
    sql: `
      CREATE TABLE roster_fetches (at_ms INTEGER NOT NULL) STRICT;
      CREATE INDEX roster_fetches_at ON roster_fetches (at_ms);
    `,
  },
]

const hourMs = 3_600_000

const At = t.type({ at_ms: t.number })
const Count = t.type({ count: t.number })

/**
 * The fetches of the roster in the runtime database. One transaction sweeps, counts and records. A time that
 * lies ahead, because the clock was set back, counts as now: it ends an hour from now and not earlier.
 */
export const rosterFetchesIn = (database: Sqlite): RosterFetches => {
  const sweep = database.prepare('DELETE FROM roster_fetches WHERE at_ms <= ?')
  const pull = database.prepare('UPDATE roster_fetches SET at_ms = ? WHERE at_ms > ?')
  const counted = database.prepare('SELECT count(*) AS count FROM roster_fetches WHERE at_ms > ?')
  const nth = database.prepare('SELECT at_ms FROM roster_fetches ORDER BY at_ms DESC LIMIT 1 OFFSET ?')
  const insert = database.prepare('INSERT INTO roster_fetches (at_ms) VALUES (?)')
  const countAfter = (ms: number): number =>
    decodeRows('roster_fetches', Count, counted.all(ms))[0]?.count ?? 0
  return {
    take: (perHour, nowMs) =>
      database.transaction(() => {
        sweep.run(nowMs - hourMs)
        pull.run(nowMs, nowMs)
        if (countAfter(nowMs - hourMs) < perHour) {
          insert.run(nowMs)
          return { _tag: 'Taken' }
        }
        // A place is free as soon as the fetch that fills the last one is an hour old.
        const [last] = perHour < 1 ? [] : decodeRows('roster_fetches', At, nth.all(perHour - 1))
        return { _tag: 'Exhausted', retryAfterMs: last === undefined ? hourMs : last.at_ms + hourMs - nowMs }
      }),
    count: nowMs => countAfter(nowMs - hourMs),
  }
}
