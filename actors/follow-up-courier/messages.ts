import * as t from 'io-ts'
import type { FollowUpVerdict } from '#src/domain/dispatch/judge-follow-up.js'
import type { OwedAnswer } from '#src/ports/records.js'

/** The call of an answer that has ended, without the answer and its token. It is not on record yet. */
export interface HeardAnswer {
  readonly owed: Omit<OwedAnswer, 'answer' | 'sealedReply'>
  readonly verdict: FollowUpVerdict
  /** Whether what the platform answered counts towards a ban of the address. */
  readonly isInvalid: boolean
}

const isHeard = (u: unknown): u is HeardAnswer =>
  typeof u === 'object' && u !== null && 'owed' in u && 'verdict' in u && 'isInvalid' in u

/** Passed by reference: it comes from the call that this actor began. */
const HeardReference = new t.Type<HeardAnswer, HeardAnswer, unknown>(
  'HeardAnswer',
  isHeard,
  (u, context) => (isHeard(u) ? t.success(u) : t.failure(u, context)),
  t.identity,
)

/** An answer is owed. */
const Wake = t.type({ _tag: t.literal('Wake') })
/** To self: an answer is due, or the platform holds this address no more. */
const Due = t.type({ _tag: t.literal('Due') })
/** To self: the calls of these answers have begun, and the next is due in so long; null: no other is owed. */
const Begun = t.type({
  _tag: t.literal('Begun'),
  ids: t.readonlyArray(t.string),
  inMs: t.union([t.number, t.null]),
})
/** To self: the answers whose tokens have ended are given up, as many as fit in one look. */
const GaveUp = t.type({ _tag: t.literal('GaveUp'), isMore: t.boolean })
/** To self: a call has ended. */
const CallHeard = t.type({ _tag: t.literal('Heard'), heard: HeardReference })
/** To self: the outcomes of these calls are on record. `isOwed`: one of the answers is still owed and due again. */
const Recorded = t.type({
  _tag: t.literal('Recorded'),
  ids: t.readonlyArray(t.string),
  isOwed: t.boolean,
})
/** To self: the disk refused the outcomes of calls. */
const Unrecorded = t.type({ _tag: t.literal('Unrecorded'), outcomes: t.readonlyArray(HeardReference) })
/** To self: it is time to record these outcomes again. */
const RecordAgain = t.type({ _tag: t.literal('RecordAgain'), outcomes: t.readonlyArray(HeardReference) })
/** To self: the disk refused to show what is owed. */
const LookRefused = t.type({ _tag: t.literal('LookRefused') })
/** To self: the calls under way at the drain have ended. */
const Settled = t.type({ _tag: t.literal('Settled') })
const Drain = t.type({ _tag: t.literal('Drain') })

export const FollowUpMessage = t.union(
  [Wake, Due, Begun, GaveUp, CallHeard, Recorded, Unrecorded, RecordAgain, LookRefused, Settled, Drain],
  'FollowUpMessage',
)
export type FollowUpMessage = t.TypeOf<typeof FollowUpMessage>
