import * as t from 'io-ts'
import { JobEnvelope } from '#protocol/jobs/job.js'
import { Flag } from '#protocol/query.js'
import { route, type Table } from '#protocol/route.js'
import { Adoption } from './adoption.js'

export const adminRoutes = {
  'admin.import': route({
    method: 'POST',
    path: '/import',
    summary:
      'Adopts a legacy repository into format 2 in one commit, all or nothing; `async=true` makes it a job.',
    capability: 'admin.migrate',
    own: false,
    // Adoption opens a repository that the gate holds shut as SchemaTooOld, so it does not pass the gate.
    write: false,
    replica: false,
    pool: false,
    poolReason: 'mutates',
    etag: false,
    early: false,
    query: { async: Flag },
    body: t.type({}, 'Nothing'),
    answers: { 200: Adoption, 202: JobEnvelope },
    refusals: ['NoRepository', 'WorkTreeDirty', 'AdoptionFailed', 'SchemaTooNew', 'Overloaded'],
    source: 'A 4.5, FORMATS 9, D33',
  }),
} as const satisfies Table
