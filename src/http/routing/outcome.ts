import type { CommitId } from '#protocol/atoms.js'
import type { Refusal } from '#protocol/refusal.js'
import type { MemoEntry } from '../answers/memo.js'
import type { RejectReason } from '../records/meter.js'

/**
 * How a request ends, before it is written. `commit` is the one that the answer of a replica row was made
 * from.
 */
export type Outcome =
  | { readonly _tag: 'Refused'; readonly refusal: Refusal; readonly reason: RejectReason | null }
  | { readonly _tag: 'NotModified'; readonly etag: string; readonly commit: CommitId | null }
  | {
      readonly _tag: 'Cached'
      readonly entry: MemoEntry
      readonly key: AnswerKey
      readonly commit: CommitId | null
    }
  | {
      readonly _tag: 'Fresh'
      readonly status: number
      readonly bytes: Buffer
      /** Whether a reader thread has compressed the bytes, for a caller that accepts gzip. */
      readonly packed: boolean
      /**
       * Whether the request had an effect; its answer is then written however many bytes wait for other
       * clients.
       */
      readonly stands: boolean
      readonly headers: Readonly<Record<string, string>>
      /**
       * Set where the row has a validator but the bytes are not cached, because the handler added headers.
       */
      readonly etag: string | null
      /** The answer may not be cached. */
      readonly isPassing: boolean
      /** The answer gets a validator and is not cached. */
      readonly isUnkept: boolean
      readonly commit: CommitId | null
    }
  /**
   * The live stream of events after a number (null: from now on), for as long as its caller has the right.
   */
  | {
      readonly _tag: 'Follow'
      readonly since: number | null
      readonly bearer: string | null
      readonly isAdmitted: () => boolean
    }
  /** The client left while its body was being read, or before its write was planned. */
  | { readonly _tag: 'Gone' }

export type WholeOutcome = Exclude<Outcome, { readonly _tag: 'Follow' }>

/** The key under which the memo stores an answer. */
export interface AnswerKey {
  readonly stamp: string
  readonly key: string
}

/** The outcome of a refused request; `reason` is what the meter counts it under, null: not counted. */
export const refuseRequest = (
  refusal: Refusal,
  reason: RejectReason | null = null,
): Extract<Outcome, { _tag: 'Refused' }> => ({
  _tag: 'Refused',
  refusal,
  reason,
})

/** The refusal of an actor of this node; an overloaded actor counts as load shed. */
export const refuseForNode = (refusal: Refusal): Outcome =>
  refuseRequest(refusal, refusal._tag === 'Overloaded' ? 'shed' : null)

export const noHeaders: Readonly<Record<string, string>> = {}

type Fresh = Extract<Outcome, { _tag: 'Fresh' }>

/** An answer rendered on this thread: plain bytes, without a validator. */
export const makeFresh = (
  made: Omit<Fresh, '_tag' | 'packed' | 'etag' | 'isPassing' | 'isUnkept'> &
    Partial<Pick<Fresh, 'isPassing' | 'isUnkept'>>,
): Fresh => ({
  _tag: 'Fresh',
  status: made.status,
  bytes: made.bytes,
  packed: false,
  stands: made.stands,
  headers: made.headers,
  etag: null,
  isPassing: made.isPassing === true,
  isUnkept: made.isUnkept === true,
  commit: made.commit,
})
