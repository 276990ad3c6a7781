import * as t from 'io-ts'
import { JobKind } from '#protocol/host/jobs.js'
import type { Job, JobStore } from '#src/ports/records.js'
import { decodeRows, jsonOf, type Migration, type Sqlite } from './sqlite.js'

export const jobMigrations: ReadonlyArray<Migration> = [
  {
    number: 2,
    sql: `
      CREATE TABLE jobs (
        id TEXT PRIMARY KEY,
        kind TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'completed', 'failed')),
        created_ms INTEGER NOT NULL,
        started_ms INTEGER,
        ended_ms INTEGER,
        result TEXT,
        error TEXT,
        detail TEXT
      ) STRICT;
      CREATE INDEX jobs_unfinished ON jobs (created_ms) WHERE state IN ('queued', 'running');
      CREATE INDEX jobs_ended ON jobs (ended_ms);
    `,
  },
]

/**
 * The jobs of this host in the runtime database. The statements enforce the state graph: none leaves a final
 * state (S26).
 */
export const jobsIn = (database: Sqlite): JobStore => {
  const insert = database.prepare(`INSERT INTO jobs (id, kind, state, created_ms) VALUES (?, ?, 'queued', ?)`)
  const begin = database.prepare(
    `UPDATE jobs SET state = 'running', started_ms = ? WHERE id = ? AND state = 'queued'`,
  )
  const complete = database.prepare(
    `UPDATE jobs SET state = 'completed', result = ?, ended_ms = ? WHERE id = ? AND state = 'running'`,
  )
  const fail = database.prepare(
    `UPDATE jobs SET state = 'failed', error = ?, detail = ?, ended_ms = ?
     WHERE id = ? AND state IN ('queued', 'running')`,
  )
  const one = database.prepare('SELECT * FROM jobs WHERE id = ?')
  const open = database.prepare(
    `SELECT * FROM jobs WHERE state IN ('queued', 'running') ORDER BY created_ms, rowid`,
  )
  const forgotten = database.prepare(
    `DELETE FROM jobs WHERE ended_ms < ? OR rowid IN
     (SELECT rowid FROM jobs WHERE ended_ms IS NOT NULL ORDER BY ended_ms DESC, rowid DESC LIMIT -1 OFFSET ?)`,
  )
  const counted = database.prepare('SELECT kind, state, count(*) AS count FROM jobs GROUP BY kind, state')
  const read = (rows: ReadonlyArray<unknown>): ReadonlyArray<Job> => decodeRows('jobs', Row, rows).map(jobOf)
  return {
    queue: (id, kind, atMs) => void insert.run(id, kind, atMs),
    begin: (id, atMs) => begin.run(atMs, id) > 0,
    end: (id, outcome, atMs) =>
      (outcome._tag === 'Completed'
        ? complete.run(outcome.json, atMs, id)
        : fail.run(outcome.error, outcome.detail, atMs, id)) > 0,
    find: id => read(one.all(id))[0] ?? null,
    unfinished: () => read(open.all()),
    forget: (endedBeforeMs, keep) => forgotten.run(endedBeforeMs, keep),
    counts: () => decodeRows('jobs', CountRow, counted.all()),
  }
}

const number = t.union([t.number, t.null])
const text = t.union([t.string, t.null])
const State = t.keyof({ queued: null, running: null, completed: null, failed: null })
const Row = t.type({
  id: t.string,
  kind: JobKind,
  state: State,
  created_ms: t.number,
  started_ms: number,
  ended_ms: number,
  result: text,
  error: text,
  detail: text,
})
const CountRow = t.type({ kind: JobKind, state: State, count: t.number })

const jobOf = (row: t.TypeOf<typeof Row>): Job => ({
  id: row.id,
  kind: row.kind,
  state: row.state,
  createdMs: row.created_ms,
  startedMs: row.started_ms,
  endedMs: row.ended_ms,
  result: row.result === null ? null : jsonOf(row.result),
  error: row.error,
  detail: row.detail,
})
