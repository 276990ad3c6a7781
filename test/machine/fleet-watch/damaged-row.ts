import { join } from 'node:path'
import { openSqlite } from '#src/adapters/runtime/sqlite.js'
import type { ScenarioHost } from '#test/scenario/world/host.js'

const damagedId = '900100200300400700'
const lockWaitMs = 30_000

const execute = ({ path }: ScenarioHost, sql: string): void => {
  const database = openSqlite(join(path, '.svc/state/runtime.db'), lockWaitMs)
  try {
    database.exec(sql)
  } finally {
    database.close()
  }
}

/**
 * Puts an interaction of which the disk has lost a part into the runtime database of a host: the oldest one, so that the
 * queue meets it first.
 */
export const damageQueue = (host: ScenarioHost): void =>
  execute(
    host,
    `INSERT INTO dispatches (id, kind, state, vars, accepted_ms, due_ms, deadline_ms)
     VALUES ('${damagedId}', 'query', 'queued', '{"SVC_QUERY', ${Date.now()}, 0, ${Number.MAX_SAFE_INTEGER})`,
  )

export const mendQueue = (host: ScenarioHost): void =>
  execute(host, `DELETE FROM dispatches WHERE id = '${damagedId}'`)
