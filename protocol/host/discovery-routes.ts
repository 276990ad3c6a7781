import { route, type Table } from '../route.js'
import { Health, RouteTable, Schema, SchemaVersion } from './discovery.js'

const early = {
  method: 'GET',
  capability: null,
  own: false,
  write: false,
  early: true,
  query: {},
  body: null,
  refusals: [],
} as const

const ofThisHost = { replica: false, etag: false, pool: false, poolReason: 'default' } as const
const ofTheTree = { replica: true, etag: true, pool: true, poolReason: null } as const

/** Discovery (A 4.2): what this host is and serves. All rows answer before the first snapshot (D1). */
export const discoveryRoutes = {
  'health.get': route({
    ...early,
    ...ofThisHost,
    prompt: true,
    path: '/health',
    summary: 'The state of the daemon.',
    answers: { 200: Health },
    source: 'A 4.2, A 2.8, D20',
    example: {},
  }),
  'schema.get': route({
    ...early,
    ...ofTheTree,
    path: '/schema',
    summary: 'The closed vocabulary: types, statuses, tags, denominations, towns, roles, capabilities.',
    answers: { 200: Schema },
    source: 'A 4.2, A 2.8',
    example: {},
  }),
  'schema.version.get': route({
    ...early,
    ...ofTheTree,
    path: '/schema/version',
    summary: 'The format stamped in the repository against the one that the daemon reads.',
    answers: { 200: SchemaVersion },
    source: 'A 4.2, A 9, D21',
    example: {},
  }),
  'routes.list': route({
    ...early,
    ...ofThisHost,
    path: '/routes',
    summary: 'Every route that this host serves.',
    answers: { 200: RouteTable },
    source: 'A 4.2, A 2.8',
    example: {},
  }),
} as const satisfies Table
