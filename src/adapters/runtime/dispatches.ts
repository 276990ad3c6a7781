import * as t from 'io-ts'
import { type DispatchAttempt, DispatchKind, DispatchVars, dispatchKinds } from '#protocol/chat/dispatch.js'
import { dispatchGiveUpMs, dispatchLifeMs, dispatchRetentionMs } from '#src/domain/dispatch/check-dispatch.js'
import type { AllDispatchCounts, DeliveryStore, DispatchStore, OwedAnswer } from '#src/ports/records.js'
import { decodeRows, jsonOf, type Migration, type Sqlite } from './sqlite.js'

export const dispatchMigrations: ReadonlyArray<Migration> = [
  {
    number: 80,
    sql: `
      CREATE TABLE dispatches (
        id TEXT PRIMARY KEY,
        kind TEXT NOT NULL CHECK (kind IN ('close', 'report', 'query')),
        state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'enacted', 'failed', 'refused')),
        vars TEXT,
        attempts INTEGER NOT NULL DEFAULT 0,
        runs INTEGER NOT NULL DEFAULT 0,
        accepted_ms INTEGER NOT NULL,
        due_ms INTEGER NOT NULL,
        deadline_ms INTEGER NOT NULL,
        ended_ms INTEGER,
        reason TEXT,
        answer TEXT,
        sealed_reply TEXT,
        answer_tries INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE INDEX dispatches_due ON dispatches (due_ms) WHERE state = 'queued';
      CREATE INDEX dispatches_deadline ON dispatches (deadline_ms) WHERE state = 'queued';
      CREATE INDEX dispatches_running ON dispatches (kind) WHERE state = 'running';
      CREATE INDEX dispatches_oldest ON dispatches (kind, accepted_ms) WHERE state IN ('queued', 'running');
      CREATE INDEX dispatches_ended ON dispatches (ended_ms) WHERE ended_ms IS NOT NULL;
      CREATE INDEX dispatches_owed ON dispatches (due_ms) WHERE answer IS NOT NULL;
      CREATE TABLE dispatch_counts (
        kind TEXT PRIMARY KEY,
        accepted INTEGER NOT NULL DEFAULT 0,
        enacted INTEGER NOT NULL DEFAULT 0,
        failed INTEGER NOT NULL DEFAULT 0,
        refused INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      INSERT INTO dispatch_counts (kind) VALUES ('close'), ('report'), ('query');
    `,
  },
]

/**
 * The interactions of this host in the runtime database. The statements enforce the state graph; a running attempt
 * is ended or deferred only by the run that began it.
 */
export const dispatchesIn = (database: Sqlite, recordAnswer: RecordAnswer): DispatchStore => {
  const statements = prepareStatements(database)
  const { kindOf, begin, defer, next, requeue, clampDeadline, clampDue, clampOwed, prune } = statements
  let lastRead = readCounts(statements)
  let known: AllDispatchCounts | null = lastRead
  /** A transaction around this one may be rolled back, so what is on disk is read when it is asked for. */
  const forgetCounts = (): void => {
    known = null
  }
  const countsNow = (): AllDispatchCounts => {
    known ??= readCounts(statements)
    lastRead = known
    return known
  }
  /** Where the store cannot be read, these are the counts of the last time: `/health` answers without a store. */
  const countsLastRead = (): AllDispatchCounts => {
    try {
      return countsNow()
    } catch {
      return lastRead
    }
  }
  return {
    findKind: id => decodeRows(table, KindRow, kindOf.all(id))[0]?.kind ?? null,
    ...changesIn(database, statements, forgetCounts),
    begin: nowMs => decodeRows(table, BegunRow, begin.all(nowMs)).map(attemptOf)[0] ?? null,
    defer: ({ id, run }, dueMs, isCounted, reason) =>
      defer.run(dueMs, isCounted ? 0 : 1, reason, id, run) > 0,
    nextMs: () => timeOf(next.all()),
    releaseHeld: nowMs => void statements.releaseHeld.run(nowMs, nowMs),
    recover: nowMs =>
      database.transaction(() => {
        const requeued = requeue.run(nowMs)
        clampDeadline.run(nowMs + dispatchGiveUpMs, nowMs + dispatchGiveUpMs)
        clampDue.run(nowMs, nowMs + dispatchLifeMs)
        clampOwed.run(nowMs, nowMs + dispatchLifeMs)
        return requeued
      }),
    ...answersIn(database, statements, recordAnswer),
    prune: nowMs => prune.run(nowMs - dispatchRetentionMs),
    counts: countsLastRead,
    waiting: () => {
      const counts = countsNow()
      return dispatchKinds.reduce((sum, kind) => {
        const { accepted, enacted, failed, refused } = counts[kind]
        return sum + accepted - enacted - failed - refused
      }, 0)
    },
    countUnended: () => decodeRows(table, UnendedRow, statements.unended.all())[0]?.count ?? 0,
    running: () => decodeRows(table, KindRow, statements.running.all()).map(({ kind }) => kind),
    oldestMs: kind => timeOf(statements.oldest.all(kind)),
  }
}

const batchMax = 100

const KindRow = t.type({ kind: DispatchKind })
const BegunRow = t.type({
  id: t.string,
  kind: DispatchKind,
  vars: t.string,
  attempts: t.number,
  runs: t.number,
  deadline_ms: t.number,
})
const VarsColumn = t.type({ vars: DispatchVars })
const EndedRow = t.type({ id: t.string, kind: DispatchKind })
const OwedRow = t.type({
  id: t.string,
  kind: DispatchKind,
  answer: t.string,
  sealed_reply: t.string,
  accepted_ms: t.number,
  due_ms: t.number,
  answer_tries: t.number,
})
const CountRow = t.type({
  kind: DispatchKind,
  accepted: t.number,
  enacted: t.number,
  failed: t.number,
  refused: t.number,
})
const UnendedRow = t.type({ count: t.number })
const TimeRow = t.type({ ms: t.union([t.number, t.null]) })

const table = 'dispatches'

/** An answer stays on record only where there is a place to send it to, and that place only with an answer. */
const endColumns = `ended_ms = ?, due_ms = ?, vars = NULL,
  answer = CASE WHEN sealed_reply IS NULL THEN NULL ELSE ? END,
  sealed_reply = CASE WHEN ? IS NULL THEN NULL ELSE sealed_reply END`

const prepareCounts = (database: Sqlite) => ({
  accepted: database.prepare('UPDATE dispatch_counts SET accepted = accepted + 1 WHERE kind = ?'),
  enacted: database.prepare('UPDATE dispatch_counts SET enacted = enacted + 1 WHERE kind = ?'),
  failed: database.prepare('UPDATE dispatch_counts SET failed = failed + 1 WHERE kind = ?'),
  refused: database.prepare('UPDATE dispatch_counts SET refused = refused + 1 WHERE kind = ?'),
})

const selectOwed = `SELECT id, kind, answer, sealed_reply, accepted_ms, due_ms, answer_tries FROM dispatches
  WHERE answer IS NOT NULL`

const prepareStatements = (database: Sqlite) => ({
  kindOf: database.prepare('SELECT kind FROM dispatches WHERE id = ?'),
  insert: database.prepare(
    `INSERT INTO dispatches (id, kind, state, vars, accepted_ms, due_ms, deadline_ms, sealed_reply)
     VALUES (?, ?, 'queued', ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
  ),
  begin: database.prepare(
    `UPDATE dispatches SET state = 'running', attempts = attempts + 1, runs = runs + 1
     WHERE state = 'queued' AND id =
       (SELECT id FROM dispatches WHERE state = 'queued' AND due_ms <= ? ORDER BY due_ms, rowid LIMIT 1)
     RETURNING id, kind, vars, attempts, runs, deadline_ms`,
  ),
  defer: database.prepare(
    `UPDATE dispatches SET state = 'queued', due_ms = min(?, deadline_ms), attempts = attempts - ?, reason = ?
     WHERE id = ? AND state = 'running' AND runs = ?`,
  ),
  end: database.prepare(
    `UPDATE dispatches SET state = ?, reason = ?, ${endColumns}
     WHERE id = ? AND state = 'running' AND runs = ? RETURNING id, kind`,
  ),
  expire: database.prepare(
    `UPDATE dispatches SET state = 'failed', reason = coalesce(reason, ?), ${endColumns}
     WHERE state = 'queued' AND id IN
       (SELECT id FROM dispatches WHERE state = 'queued' AND deadline_ms <= ? ORDER BY deadline_ms LIMIT ${batchMax})
     RETURNING id, kind`,
  ),
  next: database.prepare(
    `SELECT min(ms) AS ms FROM (SELECT min(due_ms) AS ms FROM dispatches WHERE state = 'queued'
     UNION ALL SELECT min(deadline_ms) FROM dispatches WHERE state = 'queued')`,
  ),
  requeue: database.prepare(`UPDATE dispatches SET state = 'queued', due_ms = ? WHERE state = 'running'`),
  clampDeadline: database.prepare(
    `UPDATE dispatches SET deadline_ms = ? WHERE state = 'queued' AND deadline_ms > ?`,
  ),
  clampDue: database.prepare(`UPDATE dispatches SET due_ms = ? WHERE state = 'queued' AND due_ms > ?`),
  releaseHeld: database.prepare(
    `UPDATE dispatches SET due_ms = ? WHERE state = 'queued' AND attempts = 0 AND due_ms > ?`,
  ),
  owed: database.prepare(`${selectOwed} ORDER BY due_ms, rowid LIMIT ?`),
  overdue: database.prepare(`${selectOwed} AND accepted_ms <= ? LIMIT ?`),
  postpone: database.prepare(
    'UPDATE dispatches SET due_ms = ?, answer_tries = answer_tries + 1 WHERE id = ? AND answer IS NOT NULL',
  ),
  clampOwed: database.prepare('UPDATE dispatches SET due_ms = ? WHERE answer IS NOT NULL AND due_ms > ?'),
  settle: database.prepare('UPDATE dispatches SET answer = NULL, sealed_reply = NULL WHERE id = ?'),
  prune: database.prepare(
    `DELETE FROM dispatches WHERE id IN
     (SELECT id FROM dispatches WHERE ended_ms <= ? ORDER BY ended_ms LIMIT ${batchMax})`,
  ),
  count: prepareCounts(database),
  counts: database.prepare('SELECT kind, accepted, enacted, failed, refused FROM dispatch_counts'),
  running: database.prepare(`SELECT kind FROM dispatches WHERE state = 'running'`),
  unended: database.prepare(`SELECT count(*) AS count FROM dispatches WHERE state IN ('queued', 'running')`),
  oldest: database.prepare(
    `SELECT min(accepted_ms) AS ms FROM dispatches WHERE kind = ? AND state IN ('queued', 'running')`,
  ),
})

type Statements = ReturnType<typeof prepareStatements>

const noCounts = { accepted: 0, enacted: 0, failed: 0, refused: 0 } as const

const readCounts = ({ counts }: Statements): AllDispatchCounts => {
  const byKind = new Map(decodeRows('dispatch_counts', CountRow, counts.all()).map(row => [row.kind, row]))
  const of = (kind: DispatchKind) => {
    const { accepted, enacted, failed, refused } = byKind.get(kind) ?? noCounts
    return { accepted, enacted, failed, refused }
  }
  return { close: of('close'), report: of('report'), query: of('query') }
}

const timeOf = (rows: ReadonlyArray<unknown>): number | null =>
  decodeRows(table, TimeRow, rows)[0]?.ms ?? null

const attemptOf = (row: t.TypeOf<typeof BegunRow>): DispatchAttempt => {
  const [decoded] = decodeRows(table, VarsColumn, [{ vars: jsonOf(row.vars) }])
  const { id, kind, attempts: attempt, runs: run, deadline_ms: deadlineMs } = row
  return { id, kind, vars: decoded?.vars ?? {}, attempt, run, deadlineMs }
}

/** The calls that begin and end interactions; each counts in the transaction of its change (S24). */
const changesIn = (
  database: Sqlite,
  statements: Statements,
  forgetCounts: () => void,
): Pick<DispatchStore, 'enqueue' | 'end' | 'expire'> => {
  const { insert, end, expire, count } = statements
  const inTransaction = <A>(work: () => A): A => {
    const made = database.transaction(work)
    forgetCounts()
    return made
  }
  return {
    enqueue: ({ id, kind, vars, sealedReply }, nowMs) =>
      inTransaction(() => {
        const deadlineMs = nowMs + dispatchGiveUpMs
        const added = insert.run(id, kind, JSON.stringify(vars), nowMs, nowMs, deadlineMs, sealedReply)
        if (added > 0) count.accepted.run(kind)
        return added > 0
      }),
    end: ({ id, run }, { state, reason, answer }, nowMs) =>
      inTransaction(() => {
        const ended = decodeRows(
          table,
          EndedRow,
          end.all(state, reason, nowMs, nowMs, answer, answer, id, run),
        )
        for (const { kind } of ended) count[state].run(kind)
        return ended.length > 0
      }),
    expire: (nowMs, reason, answer) =>
      inTransaction(() => {
        const ended = decodeRows(table, EndedRow, expire.all(reason, nowMs, nowMs, answer, answer, nowMs))
        for (const { kind } of ended) count.failed.run(kind)
        return ended
      }),
  }
}

const answersOf = (rows: ReadonlyArray<unknown>): ReadonlyArray<OwedAnswer> =>
  decodeRows(table, OwedRow, rows).map(row => ({
    id: row.id,
    kind: row.kind,
    answer: row.answer,
    sealedReply: row.sealed_reply,
    acceptedMs: row.accepted_ms,
    dueMs: row.due_ms,
    tries: row.answer_tries,
  }))

/** Records an answer that was given up. */
type RecordAnswer = DeliveryStore['recordAnswer']

const answersIn = (
  database: Sqlite,
  { owed, overdue, postpone, settle }: Statements,
  recordAnswer: RecordAnswer,
): Pick<DispatchStore, 'owed' | 'overdue' | 'postpone' | 'settle'> => ({
  owed: limit => answersOf(owed.all(limit)),
  overdue: (acceptedMs, limit) => answersOf(overdue.all(acceptedMs, limit)),
  postpone: (id, dueMs) => void postpone.run(dueMs, id),
  settle: (answers, nowMs) =>
    database.transaction(() => {
      for (const { id, givenUp } of answers) {
        if (givenUp !== null) recordAnswer(givenUp, nowMs)
        settle.run(id)
      }
    }),
})
