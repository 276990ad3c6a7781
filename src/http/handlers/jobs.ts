import { left, right } from 'fp-ts/lib/Either.js'
import type { JobRecord, JobResult, JobStatus } from '#protocol/jobs/job.js'
import type { jobsRoutes } from '#protocol/jobs/routes.js'
import { refuse } from '#protocol/refusal.js'
import type { Handlers } from '#src/http/handler.js'
import type { Job } from '#src/ports/jobs.js'

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
  'This host knows no such job: jobs are of the host that began them, and ended ones are kept for 7 days.',
)

export const jobs: Handlers<typeof jobsRoutes> = {
  'jobs.one': ({ node, path }) => {
    const job = node.jobs.find(path.id)
    return job === null ? left(notFound) : right({ body: recordOf(job) })
  },
  'jobs.result': ({ node, path }) => {
    const job = node.jobs.find(path.id)
    return job === null ? left(notFound) : right({ body: resultOf(job) })
  },
}
