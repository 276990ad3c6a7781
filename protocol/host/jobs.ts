import * as t from 'io-ts'
import type { Descriptions } from '../description.js'
import { ofHost, route, type Table } from '../route.js'

/** The kinds of jobs: a closed set, because they label metrics. */
export const jobKinds = [
  'import',
  'locations.reindex',
  'session-registry.regenerate',
  'search.index.rebuild',
  'workflows.award-pu',
  'logs.fetch',
  'model.run',
] as const
export const JobKind = t.union(
  [
    t.literal(jobKinds[0]),
    t.literal(jobKinds[1]),
    t.literal(jobKinds[2]),
    t.literal(jobKinds[3]),
    t.literal(jobKinds[4]),
    t.literal(jobKinds[5]),
    t.literal(jobKinds[6]),
  ],
  'JobKind',
)
export type JobKind = t.TypeOf<typeof JobKind>

/** Jobs of different lanes run beside each other; those of one lane one after the other. */
export type JobLane = 'writes' | 'search' | 'logs'

export const laneOf = (kind: JobKind): JobLane =>
  kind === 'search.index.rebuild' ? 'search' : kind === 'logs.fetch' ? 'logs' : 'writes'

/** Kinds of which one job runs at a time and none waits: what a second one would do, the first does. */
export const isSingle = (kind: JobKind): boolean => kind === 'logs.fetch'

/** Kinds whose work is done elsewhere and followed: a stop of the host does not end their jobs. */
export const isFollowed = (kind: JobKind): boolean => kind === 'model.run'

/**
 * The status of a job as a caller sees it: `queued` is served as `running` (D33). The last two are final
 * (S26).
 */
export const JobStatus = t.keyof({ running: null, completed: null, failed: null }, 'JobStatus')
export type JobStatus = t.TypeOf<typeof JobStatus>

/** The answer 202 of a request that became a job (A 2.1). */
export const JobEnvelope = t.type({ jobId: t.string, statusUrl: t.string, status: JobStatus }, 'JobEnvelope')
export type JobEnvelope = t.TypeOf<typeof JobEnvelope>

const text = t.union([t.string, t.null])
/**
 * The answer that the request would have had without a job; null until the job is completed, and when it
 * failed.
 */
const result = t.unknown
/** The name of the refusal that ended it, `interrupted` or `Internal`; null unless it failed. */
const error = text

/** The answer of `GET /jobs/{id}` (A 2.1). Instants are ISO-8601 in UTC. */
export const JobRecord = t.type(
  {
    id: t.string,
    kind: JobKind,
    status: JobStatus,
    result,
    error,
    /** What to do about the error. */
    detail: text,
    createdAt: t.string,
    endedAt: text,
  },
  'JobRecord',
)
export type JobRecord = t.TypeOf<typeof JobRecord>

/** The answer of `GET /jobs/{id}/result` (A 2.1). */
export const JobResult = t.type(
  { jobId: t.string, status: JobStatus, result, error, detail: text },
  'JobResult',
)
export type JobResult = t.TypeOf<typeof JobResult>

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

const state = {
  status: 'Whether the job runs, is completed or failed; the last two are final.',
  result: 'Answer that the request would have had by itself; null until the job is completed.',
  error: 'Code of the refusal that ended the job, `interrupted` or `Internal`; null unless it failed.',
  detail: 'What to do about the error; null unless the job failed.',
} as const

export const jobDescriptions: Descriptions = {
  JobEnvelope: {
    jobId: 'Id of the job.',
    statusUrl: 'Address to poll for the job.',
    status: 'Whether the job runs, is completed or failed.',
  },
  JobRecord: {
    id: 'Id of the job.',
    kind: 'What the job does.',
    ...state,
    createdAt: 'When the job was made, ISO 8601 in UTC.',
    endedAt: 'When the job ended, ISO 8601 in UTC; null while it runs.',
  },
  JobResult: { jobId: 'Id of the job.', ...state },
}
