import type { CommitId } from '#protocol/atoms/commit.js'
import type { Refusal } from '#protocol/refusal.js'
import type { MemoEntry } from '../answers/memo.js'
import type { RejectReason } from '../records/meter.js'

/** How a request ends, before it is written. `commit` is the one that a replica answer was made of. */
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
      /** Whether the bytes are gzip already: a reader thread did it, for a caller that takes it. */
      readonly packed: boolean
      /** Whether it tells of something that was carried out, and so is written whatever else is under way. */
      readonly stands: boolean
      readonly headers: Readonly<Record<string, string>>
      /** Set where the row has a validator but the bytes are not kept: the handler added headers. */
      readonly etag: string | null
      readonly commit: CommitId | null
    }
  /** The live stream of events, behind a number (null: from now on), for as long as its caller may have it. */
  | {
      readonly _tag: 'Follow'
      readonly since: number | null
      readonly bearer: string | null
      readonly isAdmitted: () => boolean
    }
  /** The client left while its body was read. */
  | { readonly _tag: 'Gone' }

/** An end that is written in one piece. */
export type WholeOutcome = Exclude<Outcome, { readonly _tag: 'Follow' }>

/** Where an answer with a validator is kept. */
export interface AnswerKey {
  readonly stamp: string
  readonly key: string
}

/** The outcome of a refused request; `reason` is what the meter counts it under, null where it counts it as none. */
export const refuseRequest = (
  refusal: Refusal,
  reason: RejectReason | null = null,
): Extract<Outcome, { _tag: 'Refused' }> => ({
  _tag: 'Refused',
  refusal,
  reason,
})

/** The refusal of something that this node asked of itself: an actor that is overloaded counts as load shed. */
export const refuseForNode = (refusal: Refusal): Outcome =>
  refuseRequest(refusal, refusal._tag === 'Overloaded' ? 'shed' : null)

export const noHeaders: Readonly<Record<string, string>> = {}

type Fresh = Extract<Outcome, { _tag: 'Fresh' }>

/** An answer that was rendered on this thread: as plain bytes, without a validator. */
export const makeFresh = (made: Omit<Fresh, '_tag' | 'packed' | 'etag'>): Fresh => ({
  _tag: 'Fresh',
  status: made.status,
  bytes: made.bytes,
  packed: false,
  stands: made.stands,
  headers: made.headers,
  etag: null,
  commit: made.commit,
})
