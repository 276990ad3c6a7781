import type { JobProgress } from '#src/ports/records/jobs.js'

/** What was last told of a job's progress. */
export interface Told {
  readonly atMs: number
  readonly progress: JobProgress
}

/** Time between two events of one job's progress. */
export const progressMs = 500

/** Whether progress is told: the first, then at most one in `progressMs`; the last (`done` = `total`) always, once. */
export const isTold = (last: Told | null, progress: JobProgress, monotonicMs: number): boolean => {
  if (last === null) return true
  const isEnd = progress.done >= progress.total
  const wasEnd = last.progress.done >= last.progress.total
  return monotonicMs - last.atMs >= progressMs || (isEnd && !wasEnd)
}
