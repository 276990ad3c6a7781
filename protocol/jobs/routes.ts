import { ofHost, route, type Table } from '#protocol/route.js'
import { JobRecord, JobResult } from './job.js'

/** Columns of reads of this host's own records: no validator, no replica. */
const poll = {
  ...ofHost,
  anyCommit: true,
  method: 'GET',
  capability: 'entity.read',
  query: {},
  body: null,
  refusals: ['JobNotFound'],
  source: 'A 4.5, A 2.1, D33',
} as const

export const jobsRoutes = {
  'jobs.get': route({
    ...poll,
    path: '/jobs/{id}',
    summary: 'The state and the result of a background job, for callers who may start one of its kind.',
    answers: { 200: JobRecord },
    example: { path: { id: 'job-of-the-tests' } },
  }),
  'jobs.result.get': route({
    ...poll,
    path: '/jobs/{id}/result',
    summary: 'The result of a background job, null while it runs, for callers who may start one of its kind.',
    wholeCorpus: true,
    answers: { 200: JobResult },
    example: { path: { id: 'job-of-the-tests' } },
  }),
} as const satisfies Table
