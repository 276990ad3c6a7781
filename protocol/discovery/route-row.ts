import * as t from 'io-ts'
import { CapabilityId } from '../atoms/capability.js'

/** A row of `GET /routes` (A 2.8). `params` are the accepted query names; a null capability is public. */
export const RouteRow = t.type(
  {
    method: t.keyof({ GET: null, POST: null, PUT: null, PATCH: null, DELETE: null }, 'Method'),
    path: t.string,
    capability: t.union([CapabilityId, t.null]),
    write: t.boolean,
    replica: t.boolean,
    pool: t.boolean,
    poolReason: t.union([
      t.keyof({ mutates: null, memoizes: null, shells: null, default: null }, 'PoolReason'),
      t.null,
    ]),
    params: t.readonlyArray(t.string),
    etag: t.boolean,
  },
  'RouteRow',
)
export type RouteRow = t.TypeOf<typeof RouteRow>

/** `GET /routes`: the closed table as served, in its order. */
export const RouteTable = t.type({ count: t.number, routes: t.readonlyArray(RouteRow) }, 'RouteTable')
export type RouteTable = t.TypeOf<typeof RouteTable>
