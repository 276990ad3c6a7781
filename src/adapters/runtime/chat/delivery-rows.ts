import * as t from 'io-ts'
import { DeliveryOperation, DeliveryStatus } from '#protocol/chat/delivery.js'
import type { DeliveryRecord } from '#src/ports/records.js'
import { decodeRows } from '../rows.js'

const text = t.union([t.string, t.null])
const number = t.union([t.number, t.null])
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
export const deliveryColumns = `id, operation, category, channel, entity, nonce, status, attempts, queued_ms, due_ms,
  doubt_since_ms, ended_ms, message_id, code, detail`

/** Reads rows of `deliveryColumns` and the text. */
export const readDeliveries = (rows: ReadonlyArray<unknown>): ReadonlyArray<DeliveryRecord> =>
  decodeRows('deliveries', Row, rows).map(recordOf)
