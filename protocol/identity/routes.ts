import { route, type Table } from '#protocol/route.js'
import { CapabilitySet } from './capability-set.js'

export const identityRoutes = {
  'identity.capabilities': route({
    method: 'GET',
    path: '/capabilities',
    summary: "The caller's resolved capabilities.",
    capability: 'capability.read',
    own: false,
    write: false,
    replica: false,
    pool: false,
    poolReason: 'default',
    etag: false,
    early: false,
    query: {},
    body: null,
    answers: { 200: CapabilitySet },
    refusals: [],
    source: 'A 4.3',
  }),
} as const satisfies Table
