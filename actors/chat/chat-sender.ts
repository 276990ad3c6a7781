import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { DeliveryStatus } from '#protocol/chat/delivery.js'
import type { SendOutcome } from '#src/domain/chat/attempts.js'
import {
  type Actor,
  after,
  end,
  type Moment,
  ready,
  reply,
  type Step,
  stay,
} from '#src/kernel/actor/actor.js'
import { type ReplyTo, replyTo } from '#src/kernel/actor/ref.js'

/** Looks for messages that are due. */
const Wake = t.type({ _tag: t.literal('Wake') })
/** Looks for them, and answers with the status of this message when it has ended. */
const AwaitEnd = t.type({ _tag: t.literal('Await'), id: t.string, replyTo: replyTo<DeliveryStatus>() })
type AwaitEnd = t.TypeOf<typeof AwaitEnd>

const Head = t.type({ id: t.string, category: t.string, channel: t.string, dueMs: t.number })

/** To self: the oldest queued message of each channel. */
const Found = t.type({ _tag: t.literal('Found'), heads: t.readonlyArray(Head) })

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

export interface ChatSenderPorts {
  /** Ends the holds of the last start. */
  readonly open: () => void
  /** The oldest queued message of each channel. */
  readonly heads: () => DeliveryHeads
  /** The status of a message that has ended; null while it is queued. */
  readonly endOf: (id: string) => DeliveryStatus | null
  /** Waits for the attempts under way and records their outcomes: a draining actor receives no more messages. */
  readonly settle: () => Promise<void>
  /**
   * Begins an attempt, which tells the actor its outcome. Returns the status of a message that is not attempted any
   * more; null where the attempt began.
   */
  readonly attempt: (id: string) => DeliveryStatus | null
  /** Records the outcome of an attempt; returns the status of the message. */
  readonly record: (id: string, beganMs: number, outcome: SendOutcome) => DeliveryStatus
  /** The code of a disk that refuses; null for any other error. */
  readonly diskCodeOf: (error: unknown) => string | null
  readonly refused: (code: string) => void
}

/** The attempts at a time: each may wait for the limits of its channel in the courier, which takes 64 calls. */
const attemptsMax = 16
/** The longest time to the next look, since wall clocks move. */
const restMs = 60_000
/** Longer than a caller waits. */
const waiterMs = 30_000
/** How long what the disk refused waits for the next try. */
const diskPauseMs = 5_000

const keyOf = ({ category, channel }: DeliveryHeads[number]): string => JSON.stringify([category, channel])

const look: Effects = [{ _tag: 'Look' }]

const onFound = (state: State, heads: DeliveryHeads, { nowMs }: Moment): Taken => {
  if (state.isDraining) return stay(state)
  const busy = new Set(state.attempts.values())
  const idle = heads.filter(head => !busy.has(keyOf(head)))
  const due = idle.filter(head => head.dueMs <= nowMs).slice(0, attemptsMax - state.attempts.size)
  const attempts = new Map(state.attempts)
  for (const head of due) attempts.set(head.id, keyOf(head))
  const later = idle.filter(head => head.dueMs > nowMs).map(head => head.dueMs - nowMs)
  const wait = Math.min(restMs, ...later)
  return [
    { ...state, attempts },
    [
      ...due.map(({ id }) => ({ _tag: 'Attempt', id }) as const),
      after<Message>('wake', wait, { _tag: 'Wake' }),
    ],
  ]
}

const onAwait = (state: State, { id, replyTo }: AwaitEnd, { monotonicMs }: Moment): Taken => {
  if (state.isDraining) return stay(state)
  const kept = [...state.waiters].filter(([, { untilMs }]) => monotonicMs < untilMs)
  const waiters = new Map(kept).set(id, { replyTo, untilMs: monotonicMs + waiterMs })
  // The message may have ended before this question came.
  return [{ ...state, waiters }, [{ _tag: 'Check', id }]]
}

const onRecorded = (state: State, id: string, status: DeliveryStatus): Taken => {
  const attempts = new Map([...state.attempts].filter(([other]) => other !== id))
  const waiter = state.waiters.get(id)
  const isEnded = status !== 'queued'
  const waiters = isEnded ? new Map([...state.waiters].filter(([other]) => other !== id)) : state.waiters
  const replies = isEnded && waiter !== undefined ? [reply(waiter.replyTo, status)] : []
  const next = { ...state, attempts, waiters }
  return [next, [...replies, ...look]]
}

/** Forgets an attempt that did not begin, and looks again behind a pause. */
const onDiskRefused = (state: State, id: string | null): Taken => {
  const attempts = new Map([...state.attempts].filter(([other]) => other !== id))
  const again: Message = id === null ? { _tag: 'Reopen' } : { _tag: 'Wake' }
  return [{ ...state, attempts }, [after<Message>(`disk ${again._tag}`, diskPauseMs, again)]]
}

const receive = (state: State, message: Message, moment: Moment): Taken => {
  switch (message._tag) {
    case 'Wake':
      return state.isDraining ? stay(state) : [state, look]
    case 'Await':
      return onAwait(state, message, moment)
    case 'Found':
      return onFound(state, message.heads, moment)
    case 'Attempted': {
      const { id, beganMs, outcome } = message
      return [state, [{ _tag: 'Record', id, beganMs, outcome }]]
    }
    case 'Recorded':
      return onRecorded(state, message.id, message.status)
    case 'DiskRefused':
      return onDiskRefused(state, message.id)
    case 'Unrecorded':
      // The attempt stays under way, so that its channel keeps its order.
      return [state, [after<Message>(`record ${message.id}`, diskPauseMs, { ...message, _tag: 'Attempted' })]]
    case 'Reopen':
      return state.isDraining ? stay(state) : [state, [{ _tag: 'Open' }, ...look]]
    case 'Drain':
      return [{ ...state, isDraining: true }, [{ _tag: 'Settle' }]]
    case 'Settled':
      return [state, [end]]
    default:
      return absurd(message)
  }
}

const carryOut = async (ports: ChatSenderPorts, effect: Effect): Promise<ReadonlyArray<Message>> => {
  switch (effect._tag) {
    case 'Open':
      ports.open()
      return []
    case 'Look':
      return [{ _tag: 'Found', heads: ports.heads() }]
    case 'Check': {
      const status = ports.endOf(effect.id)
      return status === null ? [] : [{ _tag: 'Recorded', id: effect.id, status }]
    }
    case 'Settle':
      await ports.settle()
      return [{ _tag: 'Settled' }]
    case 'Attempt': {
      const status = ports.attempt(effect.id)
      return status === null ? [] : [{ _tag: 'Recorded', id: effect.id, status }]
    }
    case 'Record': {
      const { id, beganMs, outcome } = effect
      return [{ _tag: 'Recorded', id, status: ports.record(id, beganMs, outcome) }]
    }
    default:
      return absurd(effect)
  }
}

/** What follows where the disk refused an effect; null for an effect that writes nothing. */
const afterRefusal = (effect: Effect): Message | null => {
  switch (effect._tag) {
    case 'Open':
      return { _tag: 'DiskRefused', id: null }
    case 'Attempt':
      return { _tag: 'DiskRefused', id: effect.id }
    case 'Record':
      return { ...effect, _tag: 'Unrecorded' }
    case 'Look':
    case 'Check':
    case 'Settle':
      return null
    default:
      return absurd(effect)
  }
}

const perform =
  (ports: ChatSenderPorts) =>
  async (effect: Effect): Promise<ReadonlyArray<Message>> => {
    try {
      return await carryOut(ports, effect)
    } catch (error) {
      const code = ports.diskCodeOf(error)
      const message = afterRefusal(effect)
      if (code === null || message === null) throw error
      ports.refused(code)
      return [message]
    }
  }

export const chatSender: Actor<State, Message, Effect, ChatSenderPorts> = {
  name: 'chat-sender',
  codec: ChatSenderMessage,
  mailboxMax: 1_024,
  initial: () => [
    { isDraining: false, attempts: new Map(), waiters: new Map() },
    [{ _tag: 'Open' }, ready, { _tag: 'Look' }],
  ],
  receive,
  perform,
  drain: { _tag: 'Drain' },
}

type DeliveryHeads = t.TypeOf<typeof Found>['heads']

/**
 * The chat sender empties the outbox of `runtime.db` through the courier: the oldest message of each channel, so
 * that a channel keeps its order and waits for no other. Its state is what is under way; an incarnation that starts
 * reads the rest from the outbox again.
 */
interface State {
  readonly isDraining: boolean
  /** The attempts under way, with their channels. */
  readonly attempts: ReadonlyMap<string, string>
  /** Callers that wait for the end of a message, until a monotonic time. */
  readonly waiters: ReadonlyMap<string, Waiter>
}

interface Waiter {
  readonly replyTo: ReplyTo<DeliveryStatus>
  readonly untilMs: number
}

type Effect =
  | { readonly _tag: 'Open' }
  | { readonly _tag: 'Look' }
  | { readonly _tag: 'Settle' }
  | { readonly _tag: 'Check'; readonly id: string }
  | { readonly _tag: 'Attempt'; readonly id: string }
  | {
      readonly _tag: 'Record'
      readonly id: string
      readonly beganMs: number
      readonly outcome: SendOutcome
    }

type Message = ChatSenderMessage
type Taken = Step<State, Effect, Message>
type Effects = Taken[1]
