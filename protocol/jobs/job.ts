import * as t from 'io-ts'

/** The kinds of jobs: a closed set, because they label metrics. */
export const jobKinds = [
  'import',
  'locations.reindex',
  'session-registry.regenerate',
  'search.index.rebuild',
] as const
export const JobKind = t.union(
  [t.literal(jobKinds[0]), t.literal(jobKinds[1]), t.literal(jobKinds[2]), t.literal(jobKinds[3])],
  'JobKind',
)
export type JobKind = t.TypeOf<typeof JobKind>

/** Jobs of different lanes run beside each other; those of one lane one after the other. */
export type JobLane = 'writes' | 'search'

export const laneOf = (kind: JobKind): JobLane => (kind === 'search.index.rebuild' ? 'search' : 'writes')

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
