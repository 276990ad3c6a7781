import { left, right } from 'fp-ts/lib/Either.js'
import { adminRoutes } from '#protocol/admin.js'
import type { CapabilityId } from '#protocol/atoms.js'
import type { JobKind, JobRecord, JobResult, JobStatus, jobsRoutes } from '#protocol/jobs.js'
import { reindexRoutes } from '#protocol/places.js'
import { refuse } from '#protocol/refusal.js'
import { searchIndexRoutes } from '#protocol/search.js'
import { sessionWriteRoutes } from '#protocol/session-writes.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { gradeOf } from '#src/domain/identity/grade.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { Job, JobStore } from '#src/ports/records.js'
import type { StartJob } from '#src/writing/command.js'

/** The jobs of this host (A 2.1, D33). */
export interface Jobs {
  readonly start: StartJob
  readonly find: JobStore['find']
}

export interface JobsDeps {
  readonly jobs: Pick<Jobs, 'find'>
}

const statusOf = ({ state }: Job): JobStatus => (state === 'queued' ? 'running' : state)

const instant = (ms: number): string => new Date(ms).toISOString()

const recordOf = (job: Job): JobRecord => ({
  id: job.id,
  kind: job.kind,
  status: statusOf(job),
  result: job.result,
  error: job.error,
  detail: job.detail,
  createdAt: instant(job.createdMs),
  endedAt: job.endedMs === null ? null : instant(job.endedMs),
})

const resultOf = (job: Job): JobResult => {
  const { id: jobId, result, error, detail } = job
  return { jobId, status: statusOf(job), result, error, detail }
}

const notFound = refuse(
  'JobNotFound',
  'This host has no such job for you: a job is on the host that started it, ended ones are kept for 7 days, ' +
    'and you see only jobs of a kind that you may start.',
)

/** The capability of the row that makes jobs of each kind. */
const capabilityOf: Readonly<Record<JobKind, CapabilityId>> = {
  import: adminRoutes['import.run'].capability,
  'locations.reindex': reindexRoutes['locations.reindex'].capability,
  'search.index.rebuild': searchIndexRoutes['search.index.rebuild'].capability,
  'session-registry.regenerate': sessionWriteRoutes['sessionRegistry.regenerate'].capability,
}

/**
 * A job, if the caller holds in full the capability that starts such jobs; otherwise null, as for an unknown
 * job (S30).
 */
const jobFor = ({ jobs: known }: JobsDeps, { holds }: Pick<Caller, 'holds'>, id: string): Job | null => {
  const job = known.find(id)
  return job !== null && gradeOf(holds, capabilityOf[job.kind]) === 'full' ? job : null
}

export const jobsHandlers: Handlers<typeof jobsRoutes, JobsDeps> = {
  'jobs.get': ({ node, path, caller }) => {
    const job = jobFor(node, caller, path.id)
    return job === null ? left(notFound) : right({ body: recordOf(job) })
  },
  'jobs.result.get': ({ node, path, caller }) => {
    const job = jobFor(node, caller, path.id)
    return job === null ? left(notFound) : right({ body: resultOf(job) })
  },
}
