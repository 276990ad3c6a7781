import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as t from 'io-ts'
import { decodeRows, openSqlite, type Sqlite } from '#src/adapters/runtime/sqlite.js'

const text = t.union([t.string, t.null])

const DispatchColumns = t.type({
  id: t.string,
  state: t.string,
  attempts: t.number,
  vars: text,
  answer: text,
  sealed_reply: text,
})
export type DispatchColumns = t.TypeOf<typeof DispatchColumns>

const DeliveryColumns = t.type({
  text: t.string,
  status: t.string,
  attempts: t.number,
  nonce: t.string,
  message_id: text,
})
export type DeliveryColumns = t.TypeOf<typeof DeliveryColumns>

const AgedRow = t.type({ key: t.string })

const stateFolder = '.svc/state'
const lockWaitMs = 5_000

const withDatabase = <A>(repo: string, work: (database: Sqlite) => A): A => {
  const database = openSqlite(join(repo, stateFolder, 'runtime.db'), lockWaitMs)
  try {
    return work(database)
  } finally {
    database.close()
  }
}

export const readDispatchRows = (repo: string): ReadonlyArray<DispatchColumns> =>
  withDatabase(repo, database =>
    decodeRows(
      'dispatches',
      DispatchColumns,
      database.prepare('SELECT id, state, attempts, vars, answer, sealed_reply FROM dispatches').all(),
    ),
  )

/** The messages in the order in which they were queued. */
export const readDeliveryRows = (repo: string): ReadonlyArray<DeliveryColumns> =>
  withDatabase(repo, database =>
    decodeRows(
      'deliveries',
      DeliveryColumns,
      database.prepare('SELECT text, status, attempts, nonce, message_id FROM deliveries ORDER BY seq').all(),
    ),
  )

/** Makes each ended row 100 days older, which is more than any is kept; returns ids or texts of these rows. */
const ageRows = (repo: string, table: 'dispatches' | 'deliveries', key: 'id' | 'text') =>
  withDatabase(repo, database => {
    const sql = `UPDATE ${table} SET ended_ms = ended_ms - 8640000000 WHERE ended_ms IS NOT NULL
      RETURNING ${key} AS key`
    return new Set(decodeRows(table, AgedRow, database.prepare(sql).all()).map(row => row.key))
  })

export const ageDispatches = (repo: string): ReadonlySet<string> => ageRows(repo, 'dispatches', 'id')

export const ageDeliveries = (repo: string): ReadonlySet<string> => ageRows(repo, 'deliveries', 'text')

/** The files of the state area that contain a text. */
export const findInState = (repo: string, wanted: string): ReadonlyArray<string> => {
  const folder = join(repo, stateFolder)
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(path => {
    const file = join(folder, path)
    return statSync(file).isFile() && readFileSync(file).includes(wanted)
  })
}
