import type { Descriptions } from '../description.js'

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
