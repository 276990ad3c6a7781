import type { CommitId, Day } from '#protocol/atoms.js'
import type { Refusal } from '#protocol/refusal.js'
import type { Caller, Reader } from '#src/domain/callers/caller.js'

/**
 * A request of a pooled row that passed every check, in the form sent to a thread. All of it can be cloned.
 */
export interface Question {
  readonly rowId: string
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly caller: Caller | Reader
  readonly nowMs: number
  /** The generation that was current when the request was admitted. No answer uses an older one. */
  readonly generation: number
  /** Distinguishes the question from every other one of its generation: row, path, query, view. */
  readonly key: string
  /** Whether the client accepts gzip. The bytes are then compressed where that is worth it. */
  readonly gzip: boolean
  /**
   * Whether requests with the same key may share one answer, because the row's answer depends on the key
   * alone (D10).
   */
  readonly shared: boolean
  /** Asked only of a thread that has no question: where all have one, the main thread answers. */
  readonly ifIdle?: boolean
}

/** The inputs of the answer: its memo key, validator and `X-Svc-Commit` are derived from them. */
export interface AnsweredFrom {
  readonly generation: number
  readonly commit: CommitId | null
  readonly inputs: string
  readonly day: Day
}

export type ReaderAnswer =
  | {
      readonly _tag: 'Answered'
      readonly status: number
      readonly bytes: Buffer
      readonly packed: boolean
      readonly headers: Readonly<Record<string, string>>
      readonly isPassing: boolean
      readonly from: AnsweredFrom
    }
  | { readonly _tag: 'Refused'; readonly refusal: Refusal }
  /** The handler threw, as it would on the main thread. */
  | { readonly _tag: 'Threw'; readonly message: string; readonly stack: string | null }
  /** No thread can answer in time, or at all: the main thread answers. */
  | { readonly _tag: 'Home' }
  /** The threads have too many requests waiting: 503. */
  | { readonly _tag: 'Overloaded' }
  /** The question ended two threads, now or recently: 500, and it is given to no other thread. */
  | { readonly _tag: 'Poison' }

/** Sends a question to the reader threads. Never rejects. */
export type AskReaders = (question: Question) => Promise<ReaderAnswer>
