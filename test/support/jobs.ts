import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { PerformTask } from '#actors/job-runner.js'
import { refuse } from '#protocol/refusal.js'
import type { Job, Jobs } from '#src/ports/records.js'

/** An ended job, for polls. */
export const endedJob: Job = {
  id: 'job-of-the-tests',
  kind: 'import',
  state: 'completed',
  createdMs: Date.parse('2026-06-15T11:00:00Z'),
  startedMs: Date.parse('2026-06-15T11:00:01Z'),
  endedMs: Date.parse('2026-06-15T11:00:02Z'),
  result: { Applied: true },
  error: null,
  detail: null,
}

export interface TestJobs extends Jobs {
  /** Sets what performs the tasks from now on; a front of the tests does so when it starts. */
  readonly attach?: (perform: PerformTask) => void
}

/** Jobs in memory: each starts at once and runs beside its asker. */
export const jobsInMemory = (first: ReadonlyArray<Job> = [endedJob]): TestJobs => {
  const kept = new Map(first.map(job => [job.id, job]))
  let perform: PerformTask = () => Promise.reject(new Error('these jobs are attached to no front'))
  const start: Jobs['start'] = (kind, task) => {
    const id = `job-${kept.size}`
    const queued: Job = { ...endedJob, id, kind, state: 'running', endedMs: null, result: null }
    kept.set(id, queued)
    void perform(task, id, () => undefined, new AbortController().signal).then(ran =>
      kept.set(
        id,
        isLeft(ran)
          ? { ...queued, state: 'failed', error: ran.left._tag, detail: ran.left.detail }
          : { ...queued, state: 'completed', result: ran.right },
      ),
    )
    return Promise.resolve(right({ jobId: id, statusUrl: `/v1/api/jobs/${id}`, status: 'running' }))
  }
  return {
    attach: given => {
      perform = given
    },
    find: id => kept.get(id) ?? null,
    newId: () => 'job-of-a-request',
    keep: (id, kind, result) => void kept.set(id, { ...endedJob, id, kind, result }),
    start,
    startSingle: (kind, task) => {
      const same = [...kept.values()].find(one => one.kind === kind && one.state === 'running')
      return same === undefined
        ? start(kind, task)
        : Promise.resolve(left(refuse('JobRunning', 'One runs already.', { job: same.id })))
    },
  }
}
