/**
 * A request that waits for a thread or is with one. `sinceMs` starts again when the request ended a thread
 * and goes back to the queue.
 */
export interface Ticket {
  readonly id: number
  readonly row: string
  readonly key: string
  readonly generation: number
  readonly sinceMs: number
  /** The request does not wait for a thread. */
  readonly ifIdle: boolean
  /** Number of threads that ended while they worked on this request. */
  readonly kills: number
}

/** What one thread does. `generation` is the one that it answers from; 0 before its first. */
export type Post =
  | { readonly _tag: 'Away' }
  | { readonly _tag: 'Starting'; readonly sinceMs: number }
  | { readonly _tag: 'Idle'; readonly generation: number }
  | { readonly _tag: 'Following'; readonly generation: number; readonly to: number; readonly sinceMs: number }
  | {
      readonly _tag: 'Answering'
      readonly generation: number
      readonly ticket: Ticket
      readonly sinceMs: number
    }
  /** The thread was ordered to end. `ticket` is still open unless its answer was already on the way. */
  | { readonly _tag: 'Doomed'; readonly ticket: Ticket | null }

/** The state of the scheduler of reader threads; `posts` has one element for each thread. */
export interface Desk {
  readonly posts: ReadonlyArray<Post>
  /** In order of arrival, except that a request which ended a thread comes first. */
  readonly waiting: ReadonlyArray<Ticket>
  /** The newest published generation. */
  readonly generation: number
  readonly turn: number
  readonly turnOfRow: ReadonlyMap<string, number>
  /** Keys of questions that ended two threads, with the time at which the quarantine ends. */
  readonly quarantine: ReadonlyMap<string, number>
}

export type DeskEvent =
  | { readonly _tag: 'Admitted'; readonly ticket: Ticket }
  | { readonly _tag: 'Published'; readonly generation: number }
  | { readonly _tag: 'Started'; readonly thread: number }
  | { readonly _tag: 'Up'; readonly thread: number }
  | { readonly _tag: 'Followed'; readonly thread: number; readonly generation: number }
  /** The thread returned an answer of any kind. */
  | { readonly _tag: 'Settled'; readonly thread: number }
  | { readonly _tag: 'Ended'; readonly thread: number }
  | { readonly _tag: 'Tick' }
  | { readonly _tag: 'Closed' }

export type DeskCommand =
  | { readonly _tag: 'Follow'; readonly thread: number; readonly generation: number }
  | { readonly _tag: 'Ask'; readonly thread: number; readonly id: number }
  | { readonly _tag: 'Kill'; readonly thread: number }
  | {
      readonly _tag: 'Conclude'
      readonly id: number
      readonly verdict: 'Home' | 'Overloaded' | 'Poison'
    }

export interface DeskLimits {
  readonly waitingMax: number
  /** How long a request may wait until a thread reaches its generation. */
  readonly behindMs: number
  /** How long a request may wait for a busy thread. */
  readonly busyMs: number
  /** How long a request that ended a thread may wait for another one. */
  readonly secondChanceMs: number
  /** How long a thread may take for one answer, for one generation (`followMs`), and to start (`startMs`). */
  readonly answerMs: number
  readonly followMs: number
  readonly startMs: number
  readonly quarantineMs: number
}

export const readerLimits = (threads: number): DeskLimits => ({
  waitingMax: 64 * threads,
  behindMs: 2_000,
  busyMs: 10_000,
  secondChanceMs: 30_000,
  answerMs: 10_000,
  followMs: 60_000,
  startMs: 30_000,
  quarantineMs: 300_000,
})
