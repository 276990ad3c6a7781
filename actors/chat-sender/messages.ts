import * as t from 'io-ts'
import { DeliveryStatus } from '#protocol/chat/delivery.js'
import type { SendOutcome } from '#src/domain/chat/attempts.js'
import { replyTo } from '#src/kernel/actor/ref.js'

const outcomeTags: Readonly<Record<SendOutcome['_tag'], true>> = { Sent: true, NoChannel: true, Failed: true }

const isOutcome = (u: unknown): u is SendOutcome =>
  typeof u === 'object' &&
  u !== null &&
  '_tag' in u &&
  typeof u._tag === 'string' &&
  Object.hasOwn(outcomeTags, u._tag)

/** Passed by reference: it comes from the attempt that this actor began. */
const Outcome = new t.Type<SendOutcome, SendOutcome, unknown>(
  'SendOutcome',
  isOutcome,
  (u, context) => (isOutcome(u) ? t.success(u) : t.failure(u, context)),
  t.identity,
)

const Head = t.type({ id: t.string, category: t.string, channel: t.string, dueMs: t.number })

/** Looks for messages that are due. */
const Wake = t.type({ _tag: t.literal('Wake') })
/** Looks for them, and answers with the status of this message when it has ended. */
const AwaitEnd = t.type({ _tag: t.literal('Await'), id: t.string, replyTo: replyTo<DeliveryStatus>() })
/** To self: the oldest queued message of each channel. */
const Found = t.type({ _tag: t.literal('Found'), heads: t.readonlyArray(Head) })
/** To self: an attempt has ended. */
const Attempted = t.type({
  _tag: t.literal('Attempted'),
  id: t.string,
  beganMs: t.number,
  outcome: Outcome,
})
/** To self: the outcome of an attempt is on record. */
const Recorded = t.type({ _tag: t.literal('Recorded'), id: t.string, status: DeliveryStatus })
/** To self: the disk refused to begin this attempt; with null to end the holds of the last start. */
const DiskRefused = t.type({ _tag: t.literal('DiskRefused'), id: t.union([t.string, t.null]) })
/** To self: the disk refused the outcome of this attempt. */
const Unrecorded = t.type({ ...Attempted.props, _tag: t.literal('Unrecorded') })
/** To self: it is time to end the holds of the last start. */
const Reopen = t.type({ _tag: t.literal('Reopen') })
/** To self: the attempts under way at the drain have ended. */
const Settled = t.type({ _tag: t.literal('Settled') })
const Drain = t.type({ _tag: t.literal('Drain') })

export const ChatSenderMessage = t.union(
  [Wake, AwaitEnd, Found, Attempted, Recorded, DiskRefused, Unrecorded, Reopen, Settled, Drain],
  'ChatSenderMessage',
)
export type ChatSenderMessage = t.TypeOf<typeof ChatSenderMessage>
export type DeliveryHeads = t.TypeOf<typeof Found>['heads']
export type AwaitEnd = t.TypeOf<typeof AwaitEnd>
