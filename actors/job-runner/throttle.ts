import type { JobProgress } from '#src/ports/records.js'

/** The progress of a job that was last published. */
export interface ToldProgress {
  readonly atMs: number
  readonly progress: JobProgress
}

/** The shortest time between two progress events of one job. */
export const progressMs = 500

/**
 * Whether to publish progress: the first, then at most one in `progressMs`; the last (`done` = `total`)
 * always, once.
 */
export const isTold = (last: ToldProgress | null, progress: JobProgress, monotonicMs: number): boolean => {
  if (last === null) return true
  const isEnd = progress.done >= progress.total
  const wasEnd = last.progress.done >= last.progress.total
  return monotonicMs - last.atMs >= progressMs || (isEnd && !wasEnd)
}
