import type { GivenUpAnswer } from '#protocol/chat/delivery.js'
import type {
  DispatchAttempt,
  DispatchEnd,
  DispatchKind,
  DispatchRun,
  DispatchVars,
} from '#protocol/chat/dispatch.js'

/** queued → running → enacted | failed | refused; the last three are final. A retry goes back to queued. */
export const dispatchStates = ['queued', 'running', 'enacted', 'failed', 'refused'] as const
export type DispatchState = (typeof dispatchStates)[number]

/** An interaction to record. `sealedReply`: where its answer goes, encrypted; null where nowhere. */
export interface NewDispatch {
  readonly id: string
  readonly kind: DispatchKind
  readonly vars: DispatchVars
  readonly sealedReply: string | null
}

/** An answer that is not in the chat yet. */
export interface OwedAnswer {
  readonly id: string
  readonly kind: DispatchKind
  readonly answer: string
  readonly sealedReply: string
  readonly acceptedMs: number
  /** From when it may be sent. */
  readonly dueMs: number
  /** How often it was tried to send. */
  readonly tries: number
}

/** Interactions of one kind since the first start of this host. */
export interface DispatchCounts {
  readonly accepted: number
  readonly enacted: number
  readonly failed: number
  readonly refused: number
}

export type AllDispatchCounts = Readonly<Record<DispatchKind, DispatchCounts>>

/** An answer that is owed no more; `givenUp`: its record, null where it was sent. */
export interface SettledAnswer {
  readonly id: string
  readonly givenUp: GivenUpAnswer | null
}

/**
 * The interactions of this host, durable before a call returns. A call throws where the disk refuses. Times are
 * those of a clock that a step of the wall clock does not move while the process lives.
 */
export interface DispatchStore {
  /** The kind under which the interaction was accepted; null where it was not. */
  readonly findKind: (id: string) => DispatchKind | null
  /** Records the interaction and counts it as accepted. False where it is known already (S20). */
  readonly enqueue: (dispatch: NewDispatch, nowMs: number) => boolean
  /** Begins the interaction that has been due longest; null where none is due. */
  readonly begin: (nowMs: number) => DispatchAttempt | null
  /** Queues a running interaction again, due at `dueMs` or at its deadline. Without `isCounted` it used no attempt. */
  readonly defer: (run: DispatchRun, dueMs: number, isCounted: boolean, reason: string) => boolean
  /** Ends a run. False where another run has begun or the interaction has ended; it stays as it is. */
  readonly end: (run: DispatchRun, end: DispatchEnd, nowMs: number) => boolean
  /**
   * Ends at most 100 queued interactions whose deadline has passed as failed, with the reason of their last
   * attempt or else `reason`, and returns them.
   */
  readonly expire: (
    nowMs: number,
    reason: string,
    answer: string,
  ) => ReadonlyArray<Pick<NewDispatch, 'id' | 'kind'>>
  /** When the next queued interaction is due or reaches its deadline; null where none waits. */
  readonly nextMs: () => number | null
  /**
   * Queues what ran when the last incarnation ended, its attempt counted, and brings times that are further ahead
   * than the queue allows, as after a step of the wall clock back, to their most. Returns how many ran.
   */
  readonly recover: (nowMs: number) => number
  /** Makes due what waits without having used an attempt. */
  readonly releaseHeld: (nowMs: number) => void
  /** The answers that are owed, due or not, the earliest due first. */
  readonly owed: (limit: number) => ReadonlyArray<OwedAnswer>
  /** The answers of interactions that were accepted at `acceptedMs` or before, due or not. */
  readonly overdue: (acceptedMs: number, limit: number) => ReadonlyArray<OwedAnswer>
  /** Counts a try of an answer that is due again at `dueMs`. */
  readonly postpone: (id: string, dueMs: number) => void
  /** Removes these answers and where they go to, in one transaction with the records of those given up (S34). */
  readonly settle: (answers: ReadonlyArray<SettledAnswer>, nowMs: number) => void
  /** Removes at most 100 interactions whose end was at least 24 hours ago; returns how many. */
  readonly prune: (nowMs: number) => number
  /** Read once after a change. */
  readonly counts: () => AllDispatchCounts
  /** How many are queued or running, by the counts. */
  readonly waiting: () => number
  /** Rows that are queued or running, counted one by one; `waiting` takes them from the counts (S24). */
  readonly countUnended: () => number
  readonly running: () => ReadonlyArray<DispatchKind>
  /** When the oldest that waits was accepted; null where none waits. */
  readonly oldestMs: (kind: DispatchKind) => number | null
}
