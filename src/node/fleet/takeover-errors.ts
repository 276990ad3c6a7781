import type { TakeoverJob } from '#protocol/fleet/takeover.js'
import { describeTakeoverError } from '#src/domain/fleet/takeover.js'
import type { TakeoverAction, TakeoverOutcome } from '#src/domain/fleet/takeover-run.js'

/** The last error of a job that this host works on. */
export interface TakeoverError {
  readonly jobId: string
  /** Wall time. */
  readonly atMs: number
  readonly detail: string
}

/** Keeps the last error of the job that the actuator works on, in memory. */
export interface TakeoverErrors {
  /** Begins with a job: what an earlier one met is forgotten. */
  readonly begin: (job: TakeoverJob) => void
  /** Takes what an action of the job brought. Returns its error where it is another one than the last. */
  readonly take: (action: TakeoverAction, outcome: TakeoverOutcome, atMs: number) => TakeoverError | null
  readonly last: () => TakeoverError | null
}

export const openTakeoverErrors = (): TakeoverErrors => {
  let job: TakeoverJob | null = null
  let last: TakeoverError | null = null
  return {
    begin: begun => {
      job = begun
      last = null
    },
    take: (action, outcome, atMs) => {
      const detail = job === null ? null : describeTakeoverError(job, action, outcome)
      if (job === null || detail === null) return null
      const isKnown = last?.detail === detail
      last = { jobId: job.id, atMs, detail }
      return isKnown ? null : last
    },
    last: () => last,
  }
}
