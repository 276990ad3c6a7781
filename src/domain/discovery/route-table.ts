import type { RouteTable } from '#protocol/host/discovery.js'
import { queryOf, type Table } from '#protocol/route.js'

/** The closed table as `GET /routes` shows it. */
export const routeTable = (table: Table): RouteTable => {
  const routes = Object.values(table).map(row => ({
    method: row.method,
    path: row.path,
    capability: row.capability,
    write: row.write,
    replica: row.replica,
    pool: row.pool,
    poolReason: row.poolReason,
    params: Object.keys(queryOf(row)),
    etag: row.etag,
  }))
  return { count: routes.length, routes }
}
