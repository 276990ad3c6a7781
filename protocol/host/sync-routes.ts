import * as t from 'io-ts'
import { route, type Table } from '#protocol/route.js'
import { SyncEnded, SyncStatus } from './sync.js'

/**
 * Columns of what this host knows about itself: it depends on no commit and answers before the first
 * snapshot.
 */
const own = {
  path: '/sync',
  own: false,
  write: false,
  replica: false,
  pool: false,
  etag: false,
  early: true,
  query: {},
  answers: { 200: SyncStatus },
  source: 'A 4.5',
} as const

export const syncRoutes = {
  'sync.get': route({
    ...own,
    method: 'GET',
    summary: 'The last converge of this host, its unpublished commits and its parked work.',
    capability: 'sync.read',
    poolReason: 'default',
    body: null,
    refusals: [],
    example: {},
  }),
  'sync.run': route({
    ...own,
    method: 'POST',
    summary:
      'Runs one converge and returns how it ended; calls during a converge share the next one. `acceptRewrite` also ' +
      'takes a history that the remote was given, which needs `admin.migrate`.',
    capability: 'sync.run',
    poolReason: 'mutates',
    answerWithinMs: 150_000,
    body: t.partial({ acceptRewrite: t.boolean }, 'WantedSync'),
    answers: { 200: SyncEnded },
    refusals: ['SyncDisabled', 'ConvergeFailed', 'Overloaded'],
    example: { body: {} },
  }),
} as const satisfies Table
