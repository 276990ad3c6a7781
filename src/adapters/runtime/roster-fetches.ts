import * as t from 'io-ts'
import { type RosterFetches, rosterShareOf } from '#src/ports/identity.js'
import { decodeRows, type Migration, type Sqlite } from './sqlite.js'

export const rosterFetchMigrations: ReadonlyArray<Migration> = [
  {
    number: 60,
    sql: `
      CREATE TABLE roster_fetches (at_ms INTEGER NOT NULL) STRICT;
      CREATE INDEX roster_fetches_at ON roster_fetches (at_ms);
    `,
  },
  { number: 61, sql: 'ALTER TABLE roster_fetches ADD COLUMN person TEXT' },
]

const hourMs = 3_600_000

const At = t.type({ at_ms: t.number })
const Taken = t.type({ fetch: t.number })
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
  const nthOf = database.prepare(
    'SELECT at_ms FROM roster_fetches WHERE person = ? ORDER BY at_ms DESC LIMIT 1 OFFSET ?',
  )
  const insert = database.prepare(
    'INSERT INTO roster_fetches (at_ms, person) VALUES (?, ?) RETURNING rowid AS fetch',
  )
  const remove = database.prepare('DELETE FROM roster_fetches WHERE rowid = ?')
  /** How long until fewer than `max` fetches, of a person or (null) of all, are in the last hour; 0 for now. */
  const waitMs = (max: number, nowMs: number, person: string | null): number => {
    if (max < 1) return hourMs
    // A place is free as soon as the fetch that fills the last one is an hour old.
    const [last] = decodeRows(
      'roster_fetches',
      At,
      person === null ? nth.all(max - 1) : nthOf.all(person, max - 1),
    )
    return last === undefined ? 0 : last.at_ms + hourMs - nowMs
  }
  return {
    take: (perHour, nowMs, person) =>
      database.transaction(() => {
        sweep.run(nowMs - hourMs)
        pull.run(nowMs, nowMs)
        const ofHost = waitMs(perHour, nowMs, null)
        if (ofHost > 0) return { _tag: 'Exhausted', of: 'host', retryAfterMs: ofHost }
        const ofPerson = person === null ? 0 : waitMs(rosterShareOf(perHour), nowMs, person)
        if (ofPerson > 0) return { _tag: 'Exhausted', of: 'person', retryAfterMs: ofPerson }
        const [taken] = decodeRows('roster_fetches', Taken, insert.all(nowMs, person))
        if (taken === undefined) throw new Error('the fetch has no row')
        return { _tag: 'Taken', fetch: taken.fetch }
      }),
    giveBack: fetch => void remove.run(fetch),
    count: nowMs => decodeRows('roster_fetches', Count, counted.all(nowMs - hourMs))[0]?.count ?? 0,
  }
}
