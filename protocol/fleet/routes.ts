import { route, type Table } from '#protocol/route.js'
import { StatusCard } from './status-card.js'

/** The mesh of hosts (A 4.10). */
export const fleetRoutes = {
  'fleet.status.get': route({
    method: 'GET',
    path: '/fleet/status',
    summary: 'The status card of this host: its town, its role and the age of its sync.',
    capability: null,
    own: false,
    write: false,
    early: true,
    prompt: true,
    replica: false,
    etag: false,
    pool: false,
    poolReason: 'default',
    query: {},
    body: null,
    answers: { 200: StatusCard },
    refusals: [],
    source: 'A 4.10, A 2.7',
    example: {},
  }),
} as const satisfies Table
