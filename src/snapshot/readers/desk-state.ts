/** A request that waits for a thread or is with one. `sinceMs` counts anew when it ended a thread and waits again. */
export interface Ticket {
  readonly id: number
  readonly row: string
  readonly key: string
  readonly generation: number
  readonly sinceMs: number
  /** How many threads it was with when they ended. */
  readonly kills: number
}

/** What one thread does. `has` is the generation that it answers from, 0 before the first. */
export type Post =
  | { readonly _tag: 'Away' }
  | { readonly _tag: 'Starting'; readonly sinceMs: number }
  | { readonly _tag: 'Idle'; readonly has: number }
  | { readonly _tag: 'Following'; readonly has: number; readonly to: number; readonly sinceMs: number }
  | { readonly _tag: 'Answering'; readonly has: number; readonly ticket: Ticket; readonly sinceMs: number }
  /** Told to end; `ticket` is still open unless its answer came on the way. */
  | { readonly _tag: 'Doomed'; readonly ticket: Ticket | null }

export interface Desk {
  readonly posts: ReadonlyArray<Post>
  /** In the order of their coming, but who ended a thread stands first. */
  readonly waiting: ReadonlyArray<Ticket>
  /** The newest generation published. */
  readonly generation: number
  readonly turn: number
  readonly turnOfRow: ReadonlyMap<string, number>
  /** Keys of questions that ended two threads, until when. */
  readonly quarantine: ReadonlyMap<string, number>
}

export type DeskEvent =
  | { readonly _tag: 'Admitted'; readonly ticket: Ticket }
  | { readonly _tag: 'Published'; readonly generation: number }
  | { readonly _tag: 'Started'; readonly thread: number }
  | { readonly _tag: 'Up'; readonly thread: number }
  | { readonly _tag: 'Followed'; readonly thread: number; readonly generation: number }
  /** The thread gave an answer of any kind. */
  | { readonly _tag: 'Settled'; readonly thread: number }
  | { readonly _tag: 'Ended'; readonly thread: number }
  | { readonly _tag: 'Tick' }
  | { readonly _tag: 'Closed' }

export type Command =
  | { readonly _tag: 'Follow'; readonly thread: number; readonly generation: number }
  | { readonly _tag: 'Ask'; readonly thread: number; readonly id: number }
  | { readonly _tag: 'Kill'; readonly thread: number }
  | {
      readonly _tag: 'Conclude'
      readonly id: number
      readonly verdict: 'Home' | 'Overloaded' | 'Poison'
    }

export interface Limits {
  readonly waitingMax: number
  /** How long one may wait for a thread to reach the generation. */
  readonly behindMs: number
  /** How long one may wait for a thread that is busy. */
  readonly busyMs: number
  /** How long one that ended a thread may wait for another. */
  readonly secondChanceMs: number
  /** How long a thread may work on one answer, one generation, its start. */
  readonly answerMs: number
  readonly followMs: number
  readonly startMs: number
  readonly quarantineMs: number
}

export const readerLimits = (threads: number): Limits => ({
  waitingMax: 64 * threads,
  behindMs: 2_000,
  busyMs: 10_000,
  secondChanceMs: 30_000,
  answerMs: 10_000,
  followMs: 60_000,
  startMs: 30_000,
  quarantineMs: 300_000,
})
