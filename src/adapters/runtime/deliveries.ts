import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { CommitId, nfc } from '#protocol/atoms.js'
import { DeliveryOperation, DeliveryStatus } from '#protocol/chat/delivery.js'
import { nonceOf } from '#src/domain/chat/attempts.js'
import type { Notice } from '#src/domain/lore/changes.js'
import type { ChannelName, DeliveryRecord, DeliveryStore, ReleasedNotices } from '#src/ports/records.js'
import { decodeRows, type Migration, type Sqlite } from './sqlite.js'

export const deliveryMigrations: ReadonlyArray<Migration> = [
  {
    number: 90,
    sql: `
      CREATE TABLE deliveries (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        operation TEXT NOT NULL,
        category TEXT NOT NULL,
        channel TEXT NOT NULL,
        entity TEXT,
        text TEXT NOT NULL,
        nonce TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('queued', 'sent', 'refused', 'unknown')),
        attempts INTEGER NOT NULL DEFAULT 0,
        queued_ms INTEGER NOT NULL,
        due_ms INTEGER NOT NULL,
        doubt_since_ms INTEGER,
        ended_ms INTEGER,
        message_id TEXT,
        code INTEGER,
        detail TEXT
      ) STRICT;
      CREATE INDEX deliveries_queued ON deliveries (category, channel, seq) WHERE status = 'queued';
      CREATE INDEX deliveries_operation ON deliveries (operation, seq);
      CREATE INDEX deliveries_status ON deliveries (status);
      CREATE INDEX deliveries_ended ON deliveries (ended_ms) WHERE ended_ms IS NOT NULL;
      CREATE TABLE delivery_holds (
        category TEXT NOT NULL,
        channel TEXT NOT NULL,
        until_ms INTEGER NOT NULL,
        code INTEGER,
        detail TEXT NOT NULL,
        PRIMARY KEY (category, channel)
      ) STRICT;
    `,
  },
  {
    number: 91,
    sql: `
      CREATE TABLE owed_notices (
        number INTEGER PRIMARY KEY,
        intent TEXT NOT NULL,
        id TEXT NOT NULL,
        operation TEXT NOT NULL,
        category TEXT NOT NULL,
        channel TEXT NOT NULL,
        entity TEXT NOT NULL,
        text TEXT NOT NULL,
        unsent TEXT
      ) STRICT;
      CREATE INDEX owed_notices_intent ON owed_notices (intent);
    `,
  },
]

/** The outbox with the operation of the store that adds notices within its own transactions. */
export interface OutboxRows extends DeliveryStore {
  /** Stores the notices of a write, within the transaction of its intent; `releaseNotices` queues them. */
  readonly owe: (intent: string, notices: ReadonlyArray<Notice>) => void
}

/** The outbox of this host in the runtime database. The statements enforce the state graph. */
export const deliveriesIn = (database: Sqlite): OutboxRows => {
  const sql = prepareStatements(database)
  const { read, forgetPages } = openNewestDeliveries(database)
  return {
    ...changesIn(database, sql, forgetPages),
    ...noticesIn(database, sql, forgetPages),
    ...holdsIn(sql),
    find: id => readDeliveries(sql.find.all(id))[0] ?? null,
    heads: atMs =>
      decodeRows('deliveries', HeadRow, sql.heads.all(atMs, atMs, atMs, atMs)).map(
        ({ due_ms: dueMs, ...head }) => ({ ...head, dueMs }),
      ),
    list: (operation, limit, atMs) => withHolds(sql, read(operation, limit), atMs),
    oldestMs: () => decodeRows('deliveries', OldestRow, sql.oldest.all())[0]?.at_ms ?? null,
    counts: () => decodeRows('deliveries', CountRow, sql.counted.all()),
  }
}

/** The operation of the messages that callers send; every other one is a notice of this host. */
const callers: DeliveryOperation = 'message'

/** The most messages that wait, and that are on record. */
const queuedMax = 10_000
/** The notices of this host that may wait beyond that, so that callers cannot silence it. */
const reservedMax = 1_000
const recordedMax = 10_000
const keptMs = 90 * 86_400_000
/** More than a sender attempts at a time, twice. */
const headsMax = 40

const number = t.union([t.number, t.null])
const HeadRow = t.type({ id: t.string, category: t.string, channel: t.string, due_ms: t.number })
const HoldRow = t.type({ until_ms: t.number, code: number, detail: t.string })
const OldestRow = t.type({ at_ms: number })
const CountRow = t.type({ status: DeliveryStatus, count: t.number })

const prepareStatements = (database: Sqlite) => ({
  insert: database.prepare(
    `INSERT INTO deliveries
       (id, operation, category, channel, entity, text, nonce, status, queued_ms, due_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'queued', ?, ?)`,
  ),
  insertAnswer: database.prepare(
    `INSERT INTO deliveries
       (id, operation, category, channel, text, nonce, status, attempts, queued_ms, due_ms, ended_ms, code, detail)
     VALUES (?, 'follow-up', '', '', '', '', ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
  ),
  trimOld: database.prepare('DELETE FROM deliveries WHERE ended_ms < ?'),
  trimMany: database.prepare(
    `DELETE FROM deliveries WHERE seq IN
       (SELECT seq FROM deliveries WHERE ended_ms IS NOT NULL ORDER BY ended_ms, seq LIMIT ?)`,
  ),
  find: database.prepare(`SELECT ${deliveryColumns}, text FROM deliveries WHERE id = ?`),
  begin: database.prepare(
    `UPDATE deliveries SET attempts = attempts + 1, doubt_since_ms = coalesce(doubt_since_ms, ?)
     WHERE id = ? AND status = 'queued'`,
  ),
  end: database.prepare(
    `UPDATE deliveries SET status = ?, ended_ms = ?, message_id = ?, code = ?, detail = ?
     WHERE id = ? AND status = 'queued'`,
  ),
  defer: database.prepare(
    `UPDATE deliveries SET due_ms = ?, doubt_since_ms = ?, code = ?, detail = ?
     WHERE id = ? AND status = 'queued'`,
  ),
  heads: database.prepare(
    `SELECT id, category, channel, due_ms FROM (SELECT * FROM
       (SELECT d.seq, d.id, d.category, d.channel, d.operation = '${callers}' AS is_callers,
          max(d.due_ms, coalesce(one.until_ms, 0),
            (SELECT coalesce(max(until_ms), 0) FROM delivery_holds
             WHERE category = '' AND channel = '' AND until_ms > ?)) AS due_ms
        FROM (SELECT min(seq) AS seq FROM deliveries WHERE status = 'queued' GROUP BY category, channel)
        JOIN deliveries d USING (seq)
        LEFT JOIN delivery_holds one
          ON one.category = d.category AND one.channel = d.channel AND one.until_ms > ?)
       ORDER BY due_ms > ?, iif(due_ms > ?, due_ms, 0), is_callers, seq LIMIT ${headsMax})
     ORDER BY is_callers, seq`,
  ),
  isHeld: database.prepare('SELECT until_ms FROM delivery_holds WHERE until_ms > ? LIMIT 1'),
  holdOf: database.prepare(
    `SELECT until_ms, code, detail FROM delivery_holds
     WHERE until_ms > ? AND (category = ? AND channel = ? OR category = '' AND channel = '')
     ORDER BY until_ms DESC LIMIT 1`,
  ),
  endHolds: database.prepare('DELETE FROM delivery_holds WHERE until_ms <= ?'),
  hold: database.prepare('INSERT OR REPLACE INTO delivery_holds VALUES (?, ?, ?, ?, ?)'),
  release: database.prepare('DELETE FROM delivery_holds WHERE category = ? AND channel = ?'),
  releaseAll: database.prepare('DELETE FROM delivery_holds'),
  oldest: database.prepare(`SELECT min(queued_ms) AS at_ms FROM deliveries WHERE status = 'queued'`),
  counted: database.prepare('SELECT status, count(*) AS count FROM deliveries GROUP BY status'),
})

type Statements = ReturnType<typeof prepareStatements>

const prepareNotices = (database: Sqlite) => ({
  owe: database.prepare(
    `INSERT INTO owed_notices (intent, id, operation, category, channel, entity, text, unsent)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  ),
  owing: database.prepare(
    `SELECT id, commit_id, state, at_ms FROM intents
     WHERE id IN (SELECT intent FROM owed_notices) AND state <> 'prepared'
       OR state = 'lost' AND id IN (SELECT intent FROM owed_audit WHERE intent IS NOT NULL)
     ORDER BY at_ms, rowid`,
  ),
  owed: database.prepare(
    'SELECT number, id, operation, entity, unsent FROM owed_notices WHERE intent = ? ORDER BY number LIMIT ?',
  ),
  // A row of this id was queued by another write of the same key.
  releaseOne: database.prepare(
    `INSERT INTO deliveries
       (id, operation, category, channel, entity, text, nonce, status, queued_ms, due_ms, ended_ms, detail)
     SELECT id, operation, category, channel, entity, text, id, iif(unsent IS NULL, 'queued', 'refused'), ?, ?,
       iif(unsent IS NULL, NULL, ?), unsent
     FROM owed_notices WHERE number = ? ON CONFLICT (id) DO NOTHING`,
  ),
  oweNoMore: database.prepare('DELETE FROM owed_notices WHERE number = ?'),
  countOwed: database.prepare('SELECT count(*) AS count FROM owed_notices WHERE intent = ?'),
  dropNotices: database.prepare('DELETE FROM owed_notices WHERE intent = ?'),
})

/** A hold of all messages has empty names, which no channel has. */
const nameOf = (channel: ChannelName | null): ChannelName => channel ?? { category: '', channel: '' }

/** Returns the function that finds the hold of a channel, of those that last until after `atMs` the longest. */
const readHolds = ({ isHeld, holdOf }: Statements, atMs: number) => {
  if (isHeld.all(atMs).length === 0) return () => null
  return ({ category, channel }: ChannelName) =>
    decodeRows('delivery_holds', HoldRow, holdOf.all(atMs, category, channel))[0] ?? null
}

/** Removes the oldest ended messages, so that one more is at most `recordedMax`. */
const trimFor = (sql: Statements, recorded: number, atMs: number): void => {
  sql.trimOld.run(atMs - keptMs)
  if (recorded >= recordedMax) sql.trimMany.run(recorded + 1 - recordedMax)
}

const sumCounts = (counts: ReturnType<DeliveryStore['counts']>): number =>
  counts.reduce((sum, { count }) => sum + count, 0)

const enqueueIn =
  (database: Sqlite, sql: Statements): DeliveryStore['enqueue'] =>
  ({ id, operation, category, channel, entity, text, nonce }, atMs) =>
    database.transaction(() => {
      const counts = decodeRows('deliveries', CountRow, sql.counted.all())
      const queued = counts.find(({ status }) => status === 'queued')?.count ?? 0
      if (queued >= (operation === callers ? queuedMax : queuedMax + reservedMax)) return false
      sql.insert.run(id, operation, category, channel, entity, text, nonce, atMs, atMs)
      trimFor(sql, sumCounts(counts), atMs)
      sql.endHolds.run(atMs)
      return true
    })

const recordAnswerIn =
  (database: Sqlite, sql: Statements): DeliveryStore['recordAnswer'] =>
  ({ id, attempts, queuedMs, end }, atMs) =>
    database.transaction(() => {
      const code = end._tag === 'Refused' ? end.code : null
      sql.insertAnswer.run(id, end._tag.toLowerCase(), attempts, queuedMs, queuedMs, atMs, code, end.detail)
      trimFor(sql, sumCounts(decodeRows('deliveries', CountRow, sql.counted.all())) - 1, atMs)
    })

const endIn =
  (sql: Statements): DeliveryStore['end'] =>
  (id, end, atMs) => {
    const status = end._tag.toLowerCase()
    const messageId = end._tag === 'Sent' ? end.messageId : null
    const code = end._tag === 'Refused' ? end.code : null
    const detail = end._tag === 'Sent' ? null : end.detail
    return sql.end.run(status, atMs, messageId, code, detail, id) > 0
  }

/** The page with the holds of its queued messages; the page itself where none is held. */
const withHolds = (
  sql: Statements,
  page: ReadonlyArray<DeliveryRecord>,
  atMs: number,
): ReadonlyArray<DeliveryRecord> => {
  if (page.every(({ status }) => status !== 'queued')) return page
  const holdOf = readHolds(sql, atMs)
  return page.map(record => {
    const hold = record.status === 'queued' ? holdOf(record) : null
    if (hold === null) return record
    const { until_ms: untilMs, code, detail } = hold
    return { ...record, dueMs: Math.max(record.dueMs, untilMs), code, detail }
  })
}

const holdsIn = (sql: Statements): Pick<DeliveryStore, 'hold' | 'release' | 'releaseAll'> => ({
  hold: ({ channel: of, untilMs, code, detail }) => {
    const { category, channel } = nameOf(of)
    sql.hold.run(category, channel, untilMs, code, detail)
  },
  release: of => {
    const { category, channel } = nameOf(of)
    sql.release.run(category, channel)
  },
  releaseAll: () => void sql.releaseAll.run(),
})

/** The statements that change messages, each of which ends the pages that were read. */
const changesIn = (
  database: Sqlite,
  sql: Statements,
  forgetPages: () => void,
): Pick<DeliveryStore, 'enqueue' | 'recordAnswer' | 'begin' | 'end' | 'defer'> => {
  const changing =
    <A extends ReadonlyArray<unknown>, R>(change: (...given: A) => R) =>
    (...given: A): R => {
      forgetPages()
      return change(...given)
    }
  return {
    enqueue: changing(enqueueIn(database, sql)),
    recordAnswer: changing(recordAnswerIn(database, sql)),
    begin: changing((id, atMs) => sql.begin.run(atMs, id) > 0),
    end: changing(endIn(sql)),
    defer: changing(
      (id, { dueMs, doubtSinceMs, code, detail }) => sql.defer.run(dueMs, doubtSinceMs, code, detail, id) > 0,
    ),
  }
}

const OwingRow = t.type({
  id: t.string,
  commit_id: CommitId,
  state: t.keyof({ done: null, lost: null }),
  at_ms: t.number,
})
const OwedRow = t.type({
  number: t.number,
  id: t.string,
  operation: DeliveryOperation,
  entity: t.string,
  unsent: t.union([t.string, t.null]),
})
const OwedCount = t.type({ count: t.number })

/** Queues the notices of a write that the outbox has room for. */
const releaseIn = (
  sql: Statements & ReturnType<typeof prepareNotices>,
  intent: string,
  atMs: number,
): ReleasedNotices => {
  const counts = decodeRows('deliveries', CountRow, sql.counted.all())
  const waiting = counts.find(({ status }) => status === 'queued')?.count ?? 0
  const room = Math.max(0, queuedMax + reservedMax - waiting)
  const rows = decodeRows('owed_notices', OwedRow, sql.owed.all(intent, room))
  const added = rows.filter(({ number }) => {
    const isNew = sql.releaseOne.run(atMs, atMs, atMs, number) > 0
    sql.oweNoMore.run(number)
    return isNew
  })
  trimFor(sql, sumCounts(counts) + added.length - 1, atMs)
  const ended = added.flatMap(({ id, operation, entity, unsent }) =>
    unsent === null ? [] : [{ id, operation, entity, detail: unsent }],
  )
  const [{ count: left } = { count: 0 }] = decodeRows('owed_notices', OwedCount, sql.countOwed.all(intent))
  return { ended, queued: added.length - ended.length, left }
}

/** The notices of writes, which wait beside the outbox until the remote has the commits. */
const noticesIn = (
  database: Sqlite,
  statements: Statements,
  forgetPages: () => void,
): Pick<OutboxRows, 'owe' | 'owing' | 'releaseNotices' | 'dropNotices'> => {
  const sql = { ...statements, ...prepareNotices(database) }
  return {
    owe: (intent, notices) => {
      for (const { operation, key, entity, to, text } of notices) {
        const { category, channel } = isLeft(to) ? { category: '', channel: '' } : to.right
        const unsent = isLeft(to) ? to.left : null
        const id = nonceOf(operation, key)
        sql.owe.run(intent, id, operation, nfc(category), nfc(channel), entity, text, unsent)
      }
    },
    owing: () =>
      decodeRows('intents', OwingRow, sql.owing.all()).map(
        ({ id: intent, commit_id: commit, state, at_ms: atMs }) => ({ intent, commit, state, atMs }),
      ),
    releaseNotices: (intent, atMs) => {
      forgetPages()
      return database.transaction(() => releaseIn(sql, intent, atMs))
    },
    dropNotices: intent => sql.dropNotices.run(intent),
  }
}

const text = t.union([t.string, t.null])
const Row = t.type({
  id: t.string,
  operation: DeliveryOperation,
  category: t.string,
  channel: t.string,
  entity: text,
  text: t.string,
  nonce: t.string,
  status: DeliveryStatus,
  attempts: t.number,
  queued_ms: t.number,
  due_ms: t.number,
  doubt_since_ms: number,
  ended_ms: number,
  message_id: text,
  code: number,
  detail: text,
})
/** Written out, because a rest of so many columns takes longer than the query. */
const recordOf = (row: t.TypeOf<typeof Row>): DeliveryRecord => ({
  id: row.id,
  operation: row.operation,
  category: row.category,
  channel: row.channel,
  entity: row.entity,
  text: row.text,
  nonce: row.nonce,
  status: row.status,
  attempts: row.attempts,
  queuedMs: row.queued_ms,
  dueMs: row.due_ms,
  doubtSinceMs: row.doubt_since_ms,
  endedMs: row.ended_ms,
  messageId: row.message_id,
  code: row.code,
  detail: row.detail,
})

/** The columns of a row; the text of a message only where it is sent. */
const deliveryColumns = `id, operation, category, channel, entity, nonce, status, attempts, queued_ms, due_ms,
  doubt_since_ms, ended_ms, message_id, code, detail`

/** Reads rows of `deliveryColumns` and the text. */
const readDeliveries = (rows: ReadonlyArray<unknown>): ReadonlyArray<DeliveryRecord> =>
  decodeRows('deliveries', Row, rows).map(recordOf)

const KeyRow = t.type({ id: t.string, status: DeliveryStatus })
type Key = t.TypeOf<typeof KeyRow>

/** The most records that are kept; a page has 500. */
const keptMax = 2_000

const prepareNewest = (database: Sqlite) => {
  const page = (columns: string, where: string): string =>
    `SELECT ${columns} FROM deliveries ${where} ORDER BY seq DESC LIMIT ?`
  const whole = `${deliveryColumns}, '' AS text`
  const ofOne = 'WHERE operation = ?'
  return {
    keys: database.prepare(page('id, status', '')),
    keysOfOne: database.prepare(page('id, status', ofOne)),
    rows: database.prepare(page(whole, '')),
    rowsOfOne: database.prepare(page(whole, ofOne)),
    row: database.prepare(`SELECT ${whole} FROM deliveries WHERE id = ?`),
  }
}

/** Above this many records that are not kept, the whole page is read. */
const singlesMax = 50

type ReadPage = (operation: DeliveryOperation | null, limit: number) => ReadonlyArray<DeliveryRecord>

/** Reads pages of the newest messages, without their texts. */
interface NewestDeliveries {
  /** Returns the same array until the next `forgetPages` with the same arguments. */
  readonly read: ReadPage
  /** Drops the pages; called for each statement that changes a message. */
  readonly forgetPages: () => void
}

/**
 * A message that has ended does not change, so its record is read once, and is the same object in later pages while it
 * is kept.
 */
const openPages = (database: Sqlite): ReadPage => {
  const sql = prepareNewest(database)
  const kept = new Map<string, DeliveryRecord>()
  const isKept = ({ id, status }: Key): boolean => status !== 'queued' && kept.has(id)
  const keep = (record: DeliveryRecord): void => {
    if (record.status === 'queued' || kept.has(record.id)) return
    if (kept.size >= keptMax) kept.clear()
    kept.set(record.id, record)
  }
  const readMissing = (
    missing: ReadonlyArray<Key>,
    operation: DeliveryOperation | null,
    limit: number,
  ): ReadonlyArray<DeliveryRecord> => {
    if (missing.length <= singlesMax) return missing.flatMap(({ id }) => readDeliveries(sql.row.all(id)))
    return readDeliveries(operation === null ? sql.rows.all(limit) : sql.rowsOfOne.all(operation, limit))
  }
  return (operation, limit) => {
    const keyRows = operation === null ? sql.keys.all(limit) : sql.keysOfOne.all(operation, limit)
    const keys = decodeRows('deliveries', KeyRow, keyRows)
    const missing = keys.filter(key => !isKept(key))
    const fresh = readMissing(missing, operation, limit)
    const known = new Map(fresh.map(record => [record.id, record]))
    for (const { id } of keys) {
      const record = kept.get(id)
      if (record !== undefined) known.set(id, record)
    }
    for (const record of fresh) keep(record)
    return keys.flatMap(({ id }) => known.get(id) ?? [])
  }
}

/** The newest messages of the runtime database, as pages that are read once for each change. */
const openNewestDeliveries = (database: Sqlite): NewestDeliveries => {
  const readPage = openPages(database)
  const pages = new Map<string, ReadonlyArray<DeliveryRecord>>()
  return {
    read: (operation, limit) => {
      const key = `${operation ?? ''} ${limit}`
      const page = pages.get(key) ?? readPage(operation, limit)
      pages.set(key, page)
      return page
    },
    forgetPages: () => pages.clear(),
  }
}
