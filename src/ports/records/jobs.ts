import type { JobKind } from '#protocol/jobs.js'

/** queued → running → completed | failed; a job may fail from `queued` too. The last two are final (S26). */
export const jobStates = ['queued', 'running', 'completed', 'failed'] as const
export type JobState = (typeof jobStates)[number]

/** How a job ended. `json` is the body of the response that the request would have had, as JSON text. */
export type JobOutcome =
  | { readonly _tag: 'Completed'; readonly json: string }
  | { readonly _tag: 'Failed'; readonly error: string; readonly detail: string }

export interface Job {
  readonly id: string
  readonly kind: JobKind
  readonly state: JobState
  readonly createdMs: number
  readonly startedMs: number | null
  readonly endedMs: number | null
  readonly result: unknown
  readonly error: string | null
  readonly detail: string | null
}

/** The jobs of this host, durable before a call returns. A call throws where the disk refuses. */
export interface JobStore {
  readonly queue: (id: string, kind: JobKind, atMs: number) => void
  /** False where the job is not queued: it has ended, or is unknown. */
  readonly begin: (id: string, atMs: number) => boolean
  /** False where the job has ended already; it keeps its outcome. */
  readonly end: (id: string, outcome: JobOutcome, atMs: number) => boolean
  readonly find: (id: string) => Job | null
  /** Jobs that have not ended, oldest first. */
  readonly unfinished: () => ReadonlyArray<Job>
  /** Deletes jobs that ended before this time, and all ended ones but the newest `keep`. Returns how many. */
  readonly forget: (endedBeforeMs: number, keep: number) => number
  readonly counts: () => ReadonlyArray<{
    readonly kind: JobKind
    readonly state: JobState
    readonly count: number
  }>
}

/** The progress of a job. `detail` names a step, never text that a person wrote. */
export interface JobProgress {
  readonly done: number
  readonly total: number
  readonly detail: string
}

export type TellProgress = (progress: JobProgress) => void
