import type { TakeoverFailure, TakeoverJob } from '#protocol/fleet/takeover.js'

/** queued → running → done | failed; the last two are final. */
export const takeoverStates = ['queued', 'running', 'done', 'failed'] as const
export type TakeoverState = (typeof takeoverStates)[number]

/** A takeover job on record. */
export interface TakeoverRecord {
  readonly job: TakeoverJob
  readonly state: TakeoverState
  readonly requestedMs: number
  readonly endedMs: number | null
  /** The request of the forge, as soon as it is known. */
  readonly request: { readonly iid: number; readonly url: string } | null
  /** On the clock of the forge; null until it is merged. */
  readonly mergedAtMs: number | null
  readonly failure: TakeoverFailure | null
  readonly detail: string | null
}

export type TakeoverVerdict =
  | {
      readonly _tag: 'Done'
      readonly iid: number
      readonly url: string
      readonly mergedAtMs: number | null
    }
  | {
      readonly _tag: 'Failed'
      readonly failure: TakeoverFailure
      readonly detail: string
      readonly owesClosing: boolean
    }

/** An announcement as it came. Nothing of it is believed. */
export interface Announcement {
  readonly newPrimary: string
  readonly mrIid: number | null
  readonly epochMs: number | null
}

/**
 * The takeover jobs and the announcements of this host, durable before a call returns. A call throws where the
 * disk refuses.
 */
export interface TakeoverStore {
  /** Queues the job, or returns the active one of the same town, which stays as it is (S5). */
  readonly enqueue: (
    job: TakeoverJob,
    atMs: number,
  ) => { readonly isNew: boolean; readonly record: TakeoverRecord }
  /** False where the job has ended or is unknown. A job that runs already, after a restart, begins again. */
  readonly begin: (id: string, atMs: number) => boolean
  /** Records the request of an active job. */
  readonly noteRequest: (id: string, iid: number, url: string) => void
  /** False where the job has ended already; it keeps its end. */
  readonly end: (id: string, verdict: TakeoverVerdict, atMs: number) => boolean
  /** The active jobs, the oldest first. */
  readonly active: () => ReadonlyArray<TakeoverRecord>
  /** The job that was queued last. */
  readonly last: () => TakeoverRecord | null
  /** Failed jobs whose request may be open. */
  readonly owed: () => ReadonlyArray<TakeoverRecord>
  readonly settle: (id: string) => void
  /** How jobs for this version of the topology failed, the newest first. */
  readonly failuresOf: (fenceCommit: string) => ReadonlyArray<TakeoverFailure>
  readonly counts: () => ReadonlyArray<{ readonly state: TakeoverState; readonly count: number }>
  /** Records an announcement; the newest 200 are kept. */
  readonly announce: (announcement: Announcement, atMs: number) => void
  readonly announcements: () => ReadonlyArray<Announcement & { readonly receivedMs: number }>
}
