import * as t from 'io-ts'
import { TakeoverFailure, TakeoverJob } from '#protocol/fleet/takeover.js'
import type { ObeyedTopologyStore } from '#src/ports/host.js'
import type { TakeoverRecord, TakeoverStore } from '#src/ports/records.js'
import { decodeRows, jsonOf, type Migration, type Sqlite } from './sqlite.js'

export const takeoverMigrations: ReadonlyArray<Migration> = [
  {
    number: 70,
    sql: `
      CREATE TABLE takeovers (
        id TEXT PRIMARY KEY,
        town TEXT NOT NULL,
        fence_commit TEXT NOT NULL,
        job TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed')),
        requested_ms INTEGER NOT NULL,
        started_ms INTEGER,
        ended_ms INTEGER,
        iid INTEGER,
        url TEXT,
        merged_at_ms INTEGER,
        failure TEXT,
        detail TEXT,
        owes_closing INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE UNIQUE INDEX takeovers_active ON takeovers (town) WHERE state IN ('queued', 'running');
      CREATE INDEX takeovers_failed ON takeovers (fence_commit, failure);
      CREATE TABLE announcements (
        received_ms INTEGER NOT NULL,
        new_primary TEXT NOT NULL,
        mr_iid INTEGER,
        epoch_ms INTEGER
      ) STRICT;
    `,
  },
]

/**
 * The takeover jobs of this host in the runtime database. The statements enforce the state graph, an index that a
 * town has one active job (S5). `last` is answered from memory (S9).
 */
export const takeoversIn = (database: Sqlite): TakeoverStore => {
  const { insert, begin, note, done, fail, trim, activeOf, active, last, owed, settle, failures, counted } =
    prepareStatements(database)
  const read = (rows: ReadonlyArray<unknown>): ReadonlyArray<TakeoverRecord> =>
    decodeRows('takeovers', Row, rows).flatMap(recordOf)
  const readLast = (): TakeoverRecord | null => read(last.all())[0] ?? null
  let newest = readLast()
  const remember = <A>(written: A): A => {
    newest = readLast()
    return written
  }
  return {
    enqueue: (job, atMs) =>
      remember(
        database.transaction(() => {
          const [known] = read(activeOf.all(job.town))
          if (known !== undefined) return { isNew: false, record: known }
          insert.run(job.id, job.town, job.fence.commit, JSON.stringify(TakeoverJob.encode(job)), atMs)
          trim.run()
          const [record] = read(activeOf.all(job.town))
          if (record === undefined) throw new Error('runtime.db: a takeover that was just written is missing')
          return { isNew: true, record }
        }),
      ),
    begin: (id, atMs) => remember(begin.run(atMs, id) > 0),
    noteRequest: (id, iid, url) => remember(void note.run(iid, url, id)),
    end: (id, verdict, atMs) =>
      remember(
        (verdict._tag === 'Done'
          ? done.run(verdict.iid, verdict.url, verdict.mergedAtMs, atMs, id)
          : fail.run(verdict.failure, verdict.detail, verdict.owesClosing ? 1 : 0, atMs, id)) > 0,
      ),
    active: () => read(active.all()),
    last: () => newest,
    owed: () => read(owed.all()),
    settle: id => void settle.run(id),
    failuresOf: fenceCommit =>
      decodeRows('takeovers', FailureRow, failures.all(fenceCommit)).map(({ failure }) => failure),
    counts: () => decodeRows('takeovers', CountRow, counted.all()),
    ...announcementsIn(database),
  }
}

export const obeyedTopologyMigrations: ReadonlyArray<Migration> = [
  {
    number: 65,
    sql: `
      CREATE TABLE obeyed_topology (
        only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
        apex TEXT NOT NULL,
        term INTEGER NOT NULL,
        term_before INTEGER
      ) STRICT;
    `,
  },
]

/** The obeyed topology in the runtime database: one row, or none on a host that was never in a fleet. */
export const openObeyedTopology = (database: Sqlite): ObeyedTopologyStore => {
  const find = database.prepare('SELECT apex, term, term_before FROM obeyed_topology')
  const keep = database.prepare(
    'INSERT OR REPLACE INTO obeyed_topology (only_row, apex, term, term_before) VALUES (1, ?, ?, ?)',
  )
  return {
    find: () => {
      const [row] = decodeRows('obeyed_topology', TopologyRow, find.all())
      return row === undefined ? null : { apex: row.apex, term: row.term, termBefore: row.term_before }
    },
    keep: ({ apex, term, termBefore }) => void keep.run(apex, term, termBefore),
  }
}

const announcementsMax = 200
const endedMax = 200

const text = t.union([t.string, t.null])
const number = t.union([t.number, t.null])
const State = t.keyof({ queued: null, running: null, done: null, failed: null })
const Row = t.type({
  job: t.string,
  state: State,
  requested_ms: t.number,
  ended_ms: number,
  iid: number,
  url: text,
  merged_at_ms: number,
  failure: t.union([TakeoverFailure, t.null]),
  detail: text,
})
const JobColumn = t.type({ job: TakeoverJob })
const FailureRow = t.type({ failure: TakeoverFailure })
const CountRow = t.type({ state: State, count: t.number })
const AnnouncementRow = t.type({
  received_ms: t.number,
  new_primary: t.string,
  mr_iid: number,
  epoch_ms: number,
})

const recordOf = (row: t.TypeOf<typeof Row>): ReadonlyArray<TakeoverRecord> =>
  decodeRows('takeovers', JobColumn, [{ job: jsonOf(row.job) }]).map(({ job }) => ({
    job,
    state: row.state,
    requestedMs: row.requested_ms,
    endedMs: row.ended_ms,
    request: row.iid === null || row.url === null ? null : { iid: row.iid, url: row.url },
    mergedAtMs: row.merged_at_ms,
    failure: row.failure,
    detail: row.detail,
  }))

const announcementsIn = (database: Sqlite): Pick<TakeoverStore, 'announce' | 'announcements'> => {
  const insert = database.prepare(
    'INSERT INTO announcements (received_ms, new_primary, mr_iid, epoch_ms) VALUES (?, ?, ?, ?)',
  )
  const trim = database.prepare(
    `DELETE FROM announcements WHERE rowid IN
     (SELECT rowid FROM announcements ORDER BY rowid DESC LIMIT -1 OFFSET ${announcementsMax})`,
  )
  const all = database.prepare('SELECT * FROM announcements ORDER BY rowid DESC')
  return {
    announce: ({ newPrimary, mrIid, epochMs }, atMs) =>
      database.transaction(() => {
        insert.run(atMs, newPrimary, mrIid, epochMs)
        trim.run()
      }),
    announcements: () =>
      decodeRows('announcements', AnnouncementRow, all.all()).map(row => ({
        receivedMs: row.received_ms,
        newPrimary: row.new_primary,
        mrIid: row.mr_iid,
        epochMs: row.epoch_ms,
      })),
  }
}

const prepareStatements = (database: Sqlite) => ({
  insert: database.prepare(
    `INSERT INTO takeovers (id, town, fence_commit, job, state, requested_ms) VALUES (?, ?, ?, ?, 'queued', ?)`,
  ),
  begin: database.prepare(
    `UPDATE takeovers SET state = 'running', started_ms = coalesce(started_ms, ?)
     WHERE id = ? AND state IN ('queued', 'running')`,
  ),
  note: database.prepare(
    `UPDATE takeovers SET iid = ?, url = ? WHERE id = ? AND state IN ('queued', 'running')`,
  ),
  done: database.prepare(
    `UPDATE takeovers SET state = 'done', iid = ?, url = ?, merged_at_ms = ?, ended_ms = ?
     WHERE id = ? AND state IN ('queued', 'running')`,
  ),
  fail: database.prepare(
    `UPDATE takeovers SET state = 'failed', failure = ?, detail = ?, owes_closing = ?, ended_ms = ?
     WHERE id = ? AND state IN ('queued', 'running')`,
  ),
  trim: database.prepare(
    `DELETE FROM takeovers WHERE state IN ('done', 'failed') AND owes_closing = 0 AND rowid IN
     (SELECT rowid FROM takeovers ORDER BY rowid DESC LIMIT -1 OFFSET ${endedMax})`,
  ),
  activeOf: database.prepare(`SELECT * FROM takeovers WHERE town = ? AND state IN ('queued', 'running')`),
  active: database.prepare(`SELECT * FROM takeovers WHERE state IN ('queued', 'running') ORDER BY rowid`),
  last: database.prepare('SELECT * FROM takeovers ORDER BY rowid DESC LIMIT 1'),
  owed: database.prepare('SELECT * FROM takeovers WHERE owes_closing = 1 ORDER BY rowid'),
  settle: database.prepare('UPDATE takeovers SET owes_closing = 0 WHERE id = ?'),
  failures: database.prepare(
    'SELECT failure FROM takeovers WHERE fence_commit = ? AND failure IS NOT NULL ORDER BY rowid DESC',
  ),
  counted: database.prepare('SELECT state, count(*) AS count FROM takeovers GROUP BY state'),
})

const TopologyRow = t.type({ apex: t.string, term: t.number, term_before: t.union([t.number, t.null]) })
