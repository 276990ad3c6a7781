import { left } from 'fp-ts/lib/Either.js'
import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type ChatCall, type Heard, silences } from '#protocol/chat/platform.js'
import { courierAway, type Verdict } from '#src/domain/chat/failures.js'
import {
  type ChatLimits,
  freeAtMs,
  invalidBudget,
  type LimitRules,
  noLimits,
} from '#src/domain/chat/limits.js'
import {
  addDoubt,
  type ChatOutcome,
  enqueueCall,
  type Outbox,
  receiveAnswer,
  startNextCall,
  type Turn,
} from '#src/domain/chat/outbox.js'
import {
  type Actor,
  after,
  end,
  type KernelEffect,
  type Moment,
  ready,
  reply,
  type Step,
  stay,
} from '#src/kernel/actor/actor.js'
import { type ReplyTo, replyTo } from '#src/kernel/actor/ref.js'
import type { MakeCall } from '#src/ports/chat.js'

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

/** Makes this call; answered once, at most one attempt after `budgetMs`. */
const AskChat = t.type({
  _tag: t.literal('Ask'),
  call: Call,
  budgetMs: t.number,
  replyTo: replyTo<ChatOutcome>(),
})
type AskChat = t.TypeOf<typeof AskChat>

const isLimits = (u: unknown): u is ChatLimits =>
  typeof u === 'object' && u !== null && 'buckets' in u && u.buckets instanceof Map

/** Passed by reference: it comes from the cell that the previous incarnation wrote to. */
const Known = new t.Type<ChatLimits, ChatLimits, unknown>(
  'Limits',
  isLimits,
  (u, context) => (isLimits(u) ? t.success(u) : t.failure(u, context)),
  t.identity,
)

/** To self: what the previous incarnation learned. */
const Recalled = t.type({ _tag: t.literal('Recalled'), limits: Known })

const What: t.Type<Heard> = t.union([
  t.type({
    _tag: t.literal('Answer'),
    status: t.number,
    headers: t.record(t.string, t.string),
    text: t.string,
  }),
  t.type({ _tag: t.literal('NoAnswer'), reason: t.keyof(silences) }),
])

/** To self: an attempt ended. */
const Ended = t.type({ _tag: t.literal('Ended'), what: What })
/** To self: it is time to look at the queue again. */
const Due = t.type({ _tag: t.literal('Due') })
const Drain = t.type({ _tag: t.literal('Drain') })

export const ChatCourierMessage = t.union([AskChat, Recalled, Ended, Due, Drain], 'ChatCourierMessage')
export type ChatCourierMessage = t.TypeOf<typeof ChatCourierMessage>

export interface ChatCourierPorts {
  readonly call: MakeCall
  /** What is known of the limits; outlives an incarnation, not the process. */
  readonly limits: { readonly get: () => ChatLimits; readonly set: (limits: ChatLimits) => void }
  /**
   * Called after each attempt, for metrics and the log; `isSpent`: it used up the budget of invalid answers.
   */
  readonly heard: (what: Heard) => void
  readonly judged: (verdict: Verdict, isSpent: boolean) => void
}

export const chatCourier = (
  rules: LimitRules,
): Actor<State, ChatCourierMessage, Effect, ChatCourierPorts> => ({
  name: 'chat-courier',
  codec: ChatCourierMessage,
  mailboxMax: 256,
  initial: () => [
    { phase: 'recalling', outbox: { limits: noLimits, waiting: [], inFlight: null } },
    [{ _tag: 'Recall' }],
  ],
  receive: receive(rules),
  perform,
  drain: { _tag: 'Drain' },
})

/**
 * The chat courier makes the calls of the chat platform, one at a time, within its rate limits. It owns what
 * is known of the limits and the waiting calls, and answers each call once. It writes what it learned to a
 * cell before each call and after each answer, so that the incarnation after a fault respects it; the kernel
 * fails the calls that waited. A new process knows nothing and learns again.
 */
type ChatOutbox = Outbox<ReplyTo<ChatOutcome>>

interface State {
  readonly phase: 'recalling' | 'open' | 'draining'
  readonly outbox: ChatOutbox
}

type Effect =
  | { readonly _tag: 'Recall' }
  | { readonly _tag: 'Remember'; readonly limits: ChatLimits }
  | { readonly _tag: 'Call'; readonly call: ChatCall; readonly timeoutMs: number }
  | { readonly _tag: 'Tell'; readonly verdict: Verdict; readonly isSpent: boolean }

type Taken = Step<State, Effect, ChatCourierMessage>
type Effects = Taken[1]

const toEffects = (turn: Turn<ReplyTo<ChatOutcome>>, before: ChatLimits, moment: Moment): Effects => {
  const { answered, begin, outbox, wakeAtMs } = turn
  const replies = answered.map(({ replyTo, outcome }): KernelEffect<never> => reply(replyTo, outcome))
  return [
    ...(outbox.limits === before ? [] : [{ _tag: 'Remember', limits: outbox.limits } as const]),
    ...replies,
    ...(begin === null ? [] : [{ _tag: 'Call', ...begin } as const]),
    ...(wakeAtMs === null
      ? []
      : [after<ChatCourierMessage>('due', Math.max(1, wakeAtMs - moment.monotonicMs), { _tag: 'Due' })]),
  ]
}

/** Begins the drain: refuses the waiting calls and lets the running one finish. */
const refuseWaiting = (outbox: ChatOutbox): Taken => {
  const replies = outbox.waiting.map(entry => reply(entry.replyTo, left(addDoubt(entry, courierAway))))
  const rest: ChatOutbox = { ...outbox, waiting: [] }
  return [{ phase: 'draining', outbox: rest }, rest.inFlight === null ? [...replies, end] : replies]
}

const takeTurn = (
  state: State,
  turn: Turn<ReplyTo<ChatOutcome>>,
  moment: Moment,
  first: Effects = [],
): Taken => [{ ...state, outbox: turn.outbox }, [...first, ...toEffects(turn, state.outbox.limits, moment)]]

const onAsk = (
  rules: LimitRules,
  state: State,
  { call, budgetMs, replyTo }: AskChat,
  moment: Moment,
): Taken => {
  const deadlineAtMs = moment.monotonicMs + budgetMs
  const entry = { call, deadlineAtMs, attempts: 0, notBeforeMs: 0, replyTo }
  if (state.phase === 'draining') return [state, [reply(replyTo, left(courierAway))]]
  if (state.phase === 'open') return takeTurn(state, enqueueCall(state.outbox, entry, rules, moment), moment)
  return stay({ ...state, outbox: { ...state.outbox, waiting: [...state.outbox.waiting, entry] } })
}

const onEnded = (rules: LimitRules, state: State, what: Heard, moment: Moment): Taken => {
  const { verdict, ...turn } = receiveAnswer(state.outbox, what, rules, moment)
  const isSpent = freeAtMs(invalidBudget, turn.outbox.limits.invalid) > moment.monotonicMs
  const told: Effects = verdict === null ? [] : [{ _tag: 'Tell', verdict, isSpent }]
  if (state.phase !== 'draining') return takeTurn(state, turn, moment, told)
  const { inFlight, waiting, limits } = turn.outbox
  const rest = inFlight === null ? waiting : [inFlight, ...waiting]
  const [next, effects] = refuseWaiting({ limits, waiting: rest, inFlight: null })
  const replies = turn.answered.map(({ replyTo, outcome }) => reply(replyTo, outcome))
  return [next, [...told, { _tag: 'Remember', limits: turn.outbox.limits }, ...replies, ...effects]]
}

const receive =
  (rules: LimitRules) =>
  (state: State, message: ChatCourierMessage, moment: Moment): Taken => {
    switch (message._tag) {
      case 'Ask':
        return onAsk(rules, state, message, moment)
      case 'Recalled': {
        const open: State = { phase: 'open', outbox: { ...state.outbox, limits: message.limits } }
        return takeTurn(open, startNextCall(open.outbox, rules, moment), moment, [ready])
      }
      case 'Ended':
        return onEnded(rules, state, message.what, moment)
      case 'Due':
        return state.phase === 'open'
          ? takeTurn(state, startNextCall(state.outbox, rules, moment), moment)
          : stay(state)
      case 'Drain':
        return refuseWaiting(state.outbox)
      default:
        return absurd(message)
    }
  }

const perform =
  (ports: ChatCourierPorts) =>
  async (effect: Effect, signal: AbortSignal): Promise<ReadonlyArray<ChatCourierMessage>> => {
    switch (effect._tag) {
      case 'Recall':
        return [{ _tag: 'Recalled', limits: ports.limits.get() }]
      case 'Remember':
        ports.limits.set(effect.limits)
        return []
      case 'Call': {
        const what = await ports.call(effect.call, effect.timeoutMs, signal)
        ports.heard(what)
        return [{ _tag: 'Ended', what }]
      }
      case 'Tell':
        ports.judged(effect.verdict, effect.isSpent)
        return []
      default:
        return absurd(effect)
    }
  }
