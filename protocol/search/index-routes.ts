import * as t from 'io-ts'
import { JobEnvelope } from '../jobs/job.js'
import { Flag } from '../query.js'
import { actsOnHost, ofHost, route, type Table } from '../route.js'
import { SearchIndexAnswer, SearchRebuilt } from './index-answers.js'

/** The indexes of search on this host (B 4.4). */
export const searchIndexRoutes = {
  'search.index.get': route({
    ...ofHost,
    method: 'GET',
    path: '/search/index',
    anyCommit: true,
    summary: 'The search index of each tier: its engine, state, documents and stamp, and its last trouble.',
    capability: 'entity.read',
    query: {},
    body: null,
    answers: { 200: SearchIndexAnswer },
    refusals: [],
    source: 'B 4.4',
    example: {},
  }),
  'search.index.rebuild': route({
    ...actsOnHost,
    method: 'POST',
    path: '/search/index/rebuild',
    anyCommit: true,
    summary: 'Builds the index of every configured tier from nothing; `async=true` makes it a job.',
    capability: 'admin.index',
    query: { async: Flag },
    body: t.type({}, 'Nothing'),
    answers: { 200: SearchRebuilt, 202: JobEnvelope },
    refusals: ['Overloaded'],
    source: 'B 4.4, D33',
    example: { query: { async: 'false' }, body: {} },
  }),
} as const satisfies Table
