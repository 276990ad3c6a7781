import * as t from 'io-ts'
import { actsOnHost, route, type Table } from '#protocol/route.js'
import { RewriteAnswer, SyncStatus } from './answers.js'

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
    summary: 'Runs one converge and returns how it ended; calls during a converge share the next one.',
    capability: 'sync.run',
    poolReason: 'mutates',
    answerWithinMs: 150_000,
    body: t.type({}, 'Nothing'),
    refusals: ['SyncDisabled', 'ConvergeFailed', 'Overloaded'],
    example: { body: {} },
  }),
  'sync.acceptRewrite': route({
    ...actsOnHost,
    method: 'POST',
    path: '/sync/accept-rewrite',
    summary:
      'Takes the history that the remote was given, and makes the unpublished commits of this host on it again.',
    capability: 'admin.migrate',
    early: true,
    query: {},
    answerWithinMs: 280_000,
    body: t.type({}, 'Nothing'),
    answers: { 200: RewriteAnswer },
    refusals: ['SyncDisabled', 'ConvergeFailed', 'Overloaded'],
    source: 'A 2.8, D30',
    example: { body: {} },
  }),
} as const satisfies Table
