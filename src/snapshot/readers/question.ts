import type { CommitId } from '#protocol/atoms/commit.js'
import type { Day } from '#protocol/atoms/day.js'
import type { Refusal } from '#protocol/refusal.js'
import type { Caller, Reader } from '#src/domain/callers/caller.js'

/** A request of a pooled row that passed every check, as a thread is asked it. All of it can be cloned. */
export interface Question {
  readonly rowId: string
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly caller: Caller | Reader
  readonly nowMs: number
  /** The generation that was current when the request was admitted: no answer is made of an older one. */
  readonly generation: number
  /** What tells it from every other question of its generation: row, path, query, view. */
  readonly key: string
  /** Whether the asker takes the bytes packed: they are, where that is worth it. */
  readonly gzip: boolean
  /** Whether all who ask the same may share one answer: the row's answer is a function of the key (D10). */
  readonly shared: boolean
}

/** What the answer was made of: its memo key, validator and `X-Svc-Commit` come from here. */
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
      readonly from: AnsweredFrom
    }
  | { readonly _tag: 'Refused'; readonly refusal: Refusal }
  /** The handler threw; it would on the main thread. */
  | { readonly _tag: 'Threw'; readonly message: string; readonly stack: string | null }
  /** No thread can answer in time: the main thread does. */
  | { readonly _tag: 'Home' }
  /** The threads have more to do than they can: 503. */
  | { readonly _tag: 'Overloaded' }
  /** It ended two threads, now or a short time ago: 500, and no other thread is asked. */
  | { readonly _tag: 'Poison' }

/** Asks the reader threads. Never rejects. */
export type AskReaders = (question: Question) => Promise<ReaderAnswer>
