import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { segmentLog } from '#src/adapters/logs/segment-log.js'
import { openRuntimeDb } from '#src/adapters/runtime/runtime-db.js'
import { openSqlite, type Sqlite } from '#src/adapters/runtime/sqlite.js'
import { rulesOf } from '#src/node/records/records.js'

const minuteMs = 60_000

/** Runs a work in one transaction of the runtime database of a host that does not run. */
const inRuntime = (state: string, work: (database: Sqlite) => void): void => {
  const made = openRuntimeDb(state)
  if (isLeft(made)) throw new Error(made.left.reason)
  made.right.close()
  const database = openSqlite(join(state, 'runtime.db'), 0)
  database.transaction(() => work(database))
  database.close()
}

/** Queues closes that are due in ten minutes, as where a gate is closed. */
export const seedDispatches = (state: string, count: number): void =>
  inRuntime(state, database => {
    const insert = database.prepare(
      `INSERT INTO dispatches (id, kind, state, vars, accepted_ms, due_ms, deadline_ms) VALUES (?, 'close', 'queued', ?, ?, ?, ?)`,
    )
    const vars = JSON.stringify({
      SVC_CLOSE_CHAT_ID: '700100200300400500',
      SVC_CLOSE_HEADER: 'x'.repeat(120),
    })
    const nowMs = Date.now()
    for (let at = 0; at < count; at += 1)
      insert.run(String(800_000_000_000 + at), vars, nowMs, nowMs + 10 * minuteMs, nowMs + 14 * minuteMs)
    database.prepare(`UPDATE dispatch_counts SET accepted = ? WHERE kind = 'close'`).run(count)
  })

/** Records messages in twenty channels. */
export const seedDeliveries = (state: string, count: number, status: 'queued' | 'sent'): void =>
  inRuntime(state, database => {
    const insert = database.prepare(
      `INSERT INTO deliveries (id, operation, category, channel, text, nonce, status, queued_ms, due_ms, ended_ms, message_id)
       VALUES (?, 'message', 'sesje', ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    const nowMs = Date.now()
    const isSent = status === 'sent'
    for (let at = 0; at < count; at += 1) {
      const ended = isSent ? [nowMs, String(at + 1)] : [null, null]
      insert.run(
        `row-${at}`,
        `kanał-${at % 20}`,
        'x'.repeat(200),
        `nonce-${at}`,
        status,
        nowMs,
        nowMs,
        ...ended,
      )
    }
  })

/** Writes a journal of events of about this size. */
export const seedJournal = async (state: string, mib: number): Promise<void> => {
  const log = segmentLog(join(state, 'events'), 'events', rulesOf(mib * 2, 90))
  await log.open()
  const event = JSON.stringify({
    at: new Date().toISOString(),
    kind: 'sync:converged',
    action: 'in-sync',
    note: 'x'.repeat(900),
  })
  while (log.bytes() < mib * 2 ** 20)
    await log.append(
      Array.from({ length: 1_000 }, () => event),
      false,
    )
  await log.close()
}
