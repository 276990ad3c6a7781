import * as t from 'io-ts'
import { type ChatCall, type Heard, silences } from '#protocol/chat/platform.js'
import type { ChatLimits } from '#src/domain/chat/limits.js'
import type { ChatOutcome } from '#src/domain/chat/outbox.js'
import { replyTo } from '#src/kernel/actor/ref.js'

const Call: t.Type<ChatCall> = t.readonly(
  t.type({
    method: t.union([t.literal('GET'), t.literal('PATCH'), t.literal('POST')]),
    route: t.string,
    major: t.string,
    path: t.string,
    body: t.union([t.string, t.null]),
    isMessage: t.boolean,
  }),
)

const What: t.Type<Heard> = t.union([
  t.type({
    _tag: t.literal('Answer'),
    status: t.number,
    headers: t.record(t.string, t.string),
    text: t.string,
  }),
  t.type({ _tag: t.literal('NoAnswer'), reason: t.keyof(silences) }),
])

const isLimits = (u: unknown): u is ChatLimits =>
  typeof u === 'object' && u !== null && 'buckets' in u && u.buckets instanceof Map

/** Passed by reference: it comes from the cell that the previous incarnation wrote to. */
const Known = new t.Type<ChatLimits, ChatLimits, unknown>(
  'Limits',
  isLimits,
  (u, context) => (isLimits(u) ? t.success(u) : t.failure(u, context)),
  t.identity,
)

/** Makes this call; answered once, at most one attempt after `budgetMs`. */
const AskChat = t.type({
  _tag: t.literal('Ask'),
  call: Call,
  budgetMs: t.number,
  replyTo: replyTo<ChatOutcome>(),
})
/** To self: what the previous incarnation learned. */
const Recalled = t.type({ _tag: t.literal('Recalled'), limits: Known })
/** To self: an attempt ended. */
const Ended = t.type({ _tag: t.literal('Ended'), what: What })
/** To self: it is time to look at the queue again. */
const Due = t.type({ _tag: t.literal('Due') })
const Drain = t.type({ _tag: t.literal('Drain') })

export const ChatCourierMessage = t.union([AskChat, Recalled, Ended, Due, Drain], 'ChatCourierMessage')
export type ChatCourierMessage = t.TypeOf<typeof ChatCourierMessage>
export type AskChat = t.TypeOf<typeof AskChat>
