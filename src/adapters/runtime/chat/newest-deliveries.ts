import * as t from 'io-ts'
import { type DeliveryOperation, DeliveryStatus } from '#protocol/chat/delivery.js'
import type { DeliveryRecord } from '#src/ports/records.js'
import { decodeRows } from '../rows.js'
import type { Sqlite } from '../sqlite.js'
import { deliveryColumns, readDeliveries } from './delivery-rows.js'

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
export interface NewestDeliveries {
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
export const openNewestDeliveries = (database: Sqlite): NewestDeliveries => {
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
