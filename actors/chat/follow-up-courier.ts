import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { ChatCall, Heard } from '#protocol/chat/platform.js'
import { editOriginal, freeAtMs, invalidBudget, recordStart, type Starts } from '#src/domain/chat/limits.js'
import type { AnswerTarget } from '#src/domain/dispatch/answer-query.js'
import { answerLifeMs } from '#src/domain/dispatch/check-dispatch.js'
import { describeGivenUp } from '#src/domain/dispatch/descriptions.js'
import {
  countsAsInvalid,
  type FollowUpFailure,
  type FollowUpVerdict,
  judgeFollowUp,
} from '#src/domain/dispatch/judge-follow-up.js'
import {
  type Actor,
  after,
  cancel,
  end,
  type Moment,
  ready,
  type Step,
  stay,
} from '#src/kernel/actor/actor.js'
import type { DispatchStore, GroupCommit, OwedAnswer } from '#src/ports/records.js'

/** The call of an answer that has ended, without the answer and its token. It is not on record yet. */
export interface HeardAnswer {
  readonly owed: Omit<OwedAnswer, 'answer' | 'sealedReply'>
  readonly verdict: FollowUpVerdict
  /** Whether what the platform answered counts towards a ban of the address. */
  readonly isInvalid: boolean
}

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

const isHeard = (u: unknown): u is HeardAnswer =>
  typeof u === 'object' && u !== null && 'owed' in u && 'verdict' in u && 'isInvalid' in u

/** Passed by reference: it comes from the call that this actor began. */
const HeardReference = new t.Type<HeardAnswer, HeardAnswer, unknown>(
  'HeardAnswer',
  isHeard,
  (u, context) => (isHeard(u) ? t.success(u) : t.failure(u, context)),
  t.identity,
)

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

export interface FollowUpPorts {
  readonly calls: AnswerCalls
  /** The code of a disk that refuses; null for any other error. */
  readonly diskCodeOf: (error: unknown) => string | null
  readonly refused: (code: string) => void
}

/** How many answers are sent at a time: they belong to different tokens, so no limit joins them. */
const callsMax = 16
const key = 'due'
const diskPauseMs = 5_000
/** The longest time between two looks while the platform holds this address. */
const heldLookMs = 30_000

const lookIn = (state: State, delayMs: number): Taken => [
  { ...state, look: 'none' },
  [after<FollowUpMessage>(key, delayMs, { _tag: 'Due' })],
]

/** How long the platform still holds this address; 0 or less where it does not. */
const findHoldMs = (state: State, { monotonicMs }: Moment): number =>
  Math.max(state.heldUntilMs, freeAtMs(invalidBudget, state.invalid)) - monotonicMs

/** Looks for what is due; while the platform holds this address, for what is to be given up. */
const lookNow = (state: State, moment: Moment): Taken => {
  if (state.isDraining || state.look === 'held') return stay(state)
  if (state.look !== 'none') return stay({ ...state, look: 'wanted' })
  const { underWay } = state
  if (findHoldMs(state, moment) > 0)
    return [{ ...state, look: 'under way' }, [cancel(key), { _tag: 'GiveUp', underWay }]]
  const limit = callsMax - underWay.size
  if (limit <= 0) return stay(state)
  return [{ ...state, look: 'under way' }, [cancel(key), { _tag: 'Look', limit, underWay }]]
}

const onBegun = (
  state: State,
  { ids, inMs }: Extract<FollowUpMessage, { _tag: 'Begun' }>,
  moment: Moment,
): Taken => {
  const known: State = { ...state, look: 'none', underWay: new Set([...state.underWay, ...ids]) }
  if (state.look === 'wanted') return lookNow(known, moment)
  return inMs === null ? stay(known) : lookIn(known, inMs)
}

const onGaveUp = (state: State, isMore: boolean, moment: Moment): Taken => {
  const holdMs = findHoldMs(state, moment)
  if (isMore || holdMs <= 0) return lookNow({ ...state, look: 'none' }, moment)
  const [next, effects] = lookIn(state, Math.min(holdMs, heldLookMs))
  return [{ ...next, look: 'held' }, effects]
}

const recordHeard = (state: State): Taken =>
  state.isRecording || state.heard.length === 0
    ? stay(state)
    : [{ ...state, isRecording: true, heard: [] }, [{ _tag: 'Record', outcomes: state.heard }]]

const onHeard = (state: State, heard: HeardAnswer, { monotonicMs }: Moment): Taken => {
  const { verdict, isInvalid } = heard
  const holdMs = verdict._tag === 'Again' ? verdict.holdMs : 0
  return recordHeard({
    ...state,
    heard: [...state.heard, heard],
    heldUntilMs: Math.max(state.heldUntilMs, monotonicMs + holdMs),
    invalid: isInvalid ? recordStart(invalidBudget, state.invalid, monotonicMs) : state.invalid,
  })
}

/** Looks again only if an answer is due again, or if all calls were taken and an answer may wait for one. */
const onRecorded = (
  state: State,
  { ids, isOwed }: Extract<FollowUpMessage, { _tag: 'Recorded' }>,
  moment: Moment,
): Taken => {
  const ended = new Set(ids)
  const wasFull = state.underWay.size >= callsMax
  const underWay = new Set([...state.underWay].filter(id => !ended.has(id)))
  const [recording, record] = recordHeard({ ...state, isRecording: false, underWay })
  const [next, look] = isOwed || wasFull ? lookNow(recording, moment) : stay(recording)
  return [next, [...record, ...look]]
}

const onDrain = (state: State): Taken => {
  const { heard } = state
  const record: Taken[1] = heard.length === 0 ? [] : [{ _tag: 'Record', outcomes: heard }]
  return [{ ...state, isDraining: true, heard: [] }, [...record, { _tag: 'Settle' }]]
}

const receive = (state: State, message: FollowUpMessage, moment: Moment): Taken => {
  switch (message._tag) {
    case 'Wake':
      return lookNow(state, moment)
    case 'Due':
      return lookNow(state.look === 'held' ? { ...state, look: 'none' } : state, moment)
    case 'GaveUp':
      return onGaveUp(state, message.isMore, moment)
    case 'Begun':
      return onBegun(state, message, moment)
    case 'Heard':
      return onHeard(state, message.heard, moment)
    case 'Recorded':
      return onRecorded(state, message, moment)
    case 'Unrecorded':
      // The answers stay under way, so that none is sent twice.
      return [
        state,
        [after<FollowUpMessage>('record', diskPauseMs, { _tag: 'RecordAgain', outcomes: message.outcomes })],
      ]
    case 'RecordAgain':
      return [state, [{ _tag: 'Record', outcomes: message.outcomes }]]
    case 'LookRefused':
      return lookIn(state, diskPauseMs)
    case 'Drain':
      return onDrain(state)
    case 'Settled':
      return [state, [end]]
    default:
      return absurd(message)
  }
}

const carryOut = async (
  { calls }: FollowUpPorts,
  effect: Effect,
  signal: AbortSignal,
): Promise<FollowUpMessage> => {
  switch (effect._tag) {
    case 'Look':
      return { _tag: 'Begun', ...calls.begin(effect.limit, effect.underWay, signal) }
    case 'GiveUp':
      return { _tag: 'GaveUp', isMore: await calls.giveUp(effect.underWay) }
    case 'Record':
      await calls.record(effect.outcomes)
      return {
        _tag: 'Recorded',
        ids: effect.outcomes.map(({ owed }) => owed.id),
        isOwed: effect.outcomes.some(({ verdict }) => verdict._tag === 'Again'),
      }
    case 'Settle':
      await calls.settle()
      return { _tag: 'Settled' }
    default:
      return absurd(effect)
  }
}

/** What follows where the disk refused an effect. */
const afterRefusal = (effect: Effect): FollowUpMessage =>
  effect._tag === 'Record'
    ? { _tag: 'Unrecorded', outcomes: effect.outcomes }
    : { _tag: effect._tag === 'Settle' ? 'Settled' : 'LookRefused' }

const perform =
  (ports: FollowUpPorts) =>
  async (effect: Effect, signal: AbortSignal): Promise<ReadonlyArray<FollowUpMessage>> => {
    try {
      return [await carryOut(ports, effect, signal)]
    } catch (error) {
      const code = ports.diskCodeOf(error)
      if (code === null) throw error
      ports.refused(code)
      return [afterRefusal(effect)]
    }
  }

const giveUp = (why: FollowUpFailure): Extract<FollowUpVerdict, { _tag: 'Final' }> => ({
  _tag: 'Final',
  why,
  status: null,
  code: null,
})

export const followUpCourier: Actor<State, FollowUpMessage, Effect, FollowUpPorts> = {
  name: 'follow-up-courier',
  codec: FollowUpMessage,
  mailboxMax: 1_024,
  initial: () => [initial, [ready, { _tag: 'Look', limit: callsMax, underWay: initial.underWay }]],
  receive,
  perform,
  drain: { _tag: 'Drain' },
}

export interface AnswerPorts {
  readonly store: Pick<DispatchStore, 'overdue' | 'owed' | 'postpone' | 'settle'>
  readonly groupCommit: GroupCommit
  /** Makes one attempt of a call without a bot token; null on a host that makes no calls. Never rejects. */
  readonly call: ((call: ChatCall, timeoutMs: number, signal: AbortSignal) => Promise<Heard>) | null
  /** Where an answer goes; null where it cannot be decrypted. */
  readonly openTarget: (id: string, sealed: string) => AnswerTarget | null
  /** The clock of the queue. */
  readonly queueNowMs: () => number
  /** Wall time, for a `Retry-After` that is a date. */
  readonly nowMs: () => number
  readonly sent: (owed: HeardAnswer['owed']) => void
  /** Records an answer that is given up; its effect stays. */
  readonly failed: (owed: HeardAnswer['owed'], verdict: Extract<FollowUpVerdict, { _tag: 'Final' }>) => void
  /** Reports a call whose outcome is not on record; the next start makes it once more. */
  readonly unrecorded: (error: unknown) => void
  /** Tells the courier the outcome of a call; false where it does not receive it any more. Never rejects. */
  readonly tell: (heard: HeardAnswer) => Promise<boolean>
}

/** Opens the calls of a courier. An answer and its token are removed when it is sent or given up. */
export const openAnswerCalls = (ports: AnswerPorts): AnswerCalls => {
  const underWay = new Set<Promise<void>>()
  const send = async (owed: OwedAnswer, signal: AbortSignal): Promise<void> => {
    const { answer: _, sealedReply: __, ...run } = owed
    const heard = { owed: run, ...(await attemptAnswer(ports, owed, signal)) }
    if (!signal.aborted && !(await ports.tell(heard))) await recordOutcomes(ports, [heard])
  }
  return {
    begin: (limit, known, signal) => {
      const { due, inMs } = findDue(ports, limit, known)
      for (const owed of due) {
        const sending = send(owed, signal)
          .catch(ports.unrecorded)
          .finally(() => underWay.delete(sending))
        underWay.add(sending)
      }
      return { ids: due.map(({ id }) => id), inMs }
    },
    giveUp: known => giveUpOverdue(ports, known),
    record: outcomes => recordOutcomes(ports, outcomes),
    settle: async () => {
      await Promise.all(underWay)
    },
  }
}

/**
 * The follow-up courier sends the answers to interactions, apart from every other call of the chat platform: no
 * notice and no limit of the bot holds them up, and no answer waits for the call of another one. The answers are in
 * `runtime.db` until they are sent or given up, so an incarnation goes on where the last one ended. It owns what the
 * platform said about the address of this host.
 */
interface State {
  readonly isDraining: boolean
  /**
   * Whether it looks for what is due, and whether an answer was recorded since the look began. `held`: the platform
   * holds this address, and a timer is set for the next look.
   */
  readonly look: 'none' | 'under way' | 'wanted' | 'held'
  /** The answers whose call is under way, or whose outcome is not on record. */
  readonly underWay: ReadonlySet<string>
  readonly isRecording: boolean
  /** The outcomes that wait for the record under way. */
  readonly heard: ReadonlyArray<HeardAnswer>
  readonly heldUntilMs: number
  readonly invalid: Starts
}

type Effect =
  | { readonly _tag: 'Look'; readonly limit: number; readonly underWay: ReadonlySet<string> }
  /** Gives up the answers whose tokens have ended while the platform holds this address. */
  | { readonly _tag: 'GiveUp'; readonly underWay: ReadonlySet<string> }
  | { readonly _tag: 'Record'; readonly outcomes: ReadonlyArray<HeardAnswer> }
  | { readonly _tag: 'Settle' }

type Taken = Step<State, Effect, FollowUpMessage>

const initial: State = {
  ...{ isDraining: false, look: 'under way', underWay: new Set<string>(), isRecording: false, heard: [] },
  ...{ heldUntilMs: 0, invalid: [] },
}

/** The calls that send answers. Calls throw or reject where the disk refuses. */
interface AnswerCalls {
  /**
   * Begins the calls of at most `limit` answers that are due and not in `underWay`. `inMs`: until another one is
   * due; null where none waits for a time.
   */
  readonly begin: (
    limit: number,
    underWay: ReadonlySet<string>,
    signal: AbortSignal,
  ) => { readonly ids: ReadonlyArray<string>; readonly inMs: number | null }
  /** Gives up answers whose tokens have ended, those in `underWay` left out; returns whether there may be more. */
  readonly giveUp: (underWay: ReadonlySet<string>) => Promise<boolean>
  /** Records outcomes in one transaction: what has ended is removed, what failed is due again later. */
  readonly record: (outcomes: ReadonlyArray<HeardAnswer>) => Promise<void>
  /** Waits for the calls under way, of which a draining courier does not hear, and records their outcomes. */
  readonly settle: () => Promise<void>
}

const attemptMs = 3_000

const attemptAnswer = async (
  { call, openTarget, queueNowMs, nowMs }: AnswerPorts,
  { id, answer: content, sealedReply, acceptedMs, tries }: OwedAnswer,
  signal: AbortSignal,
): Promise<Omit<HeardAnswer, 'owed'>> => {
  const final = (why: FollowUpFailure) => ({ verdict: giveUp(why), isInvalid: false })
  const leftMs = acceptedMs + answerLifeMs - queueNowMs()
  if (leftMs <= 0) return final('expired')
  if (call === null) return final('chat_disabled')
  const target = openTarget(id, sealedReply)
  if (target === null) return final('token_unreadable')
  const heard = await call(editOriginal({ ...target, content }), Math.min(attemptMs, leftMs), signal)
  const ageMs = queueNowMs() - acceptedMs
  return {
    verdict: judgeFollowUp({ heard, tries, ageMs, nowMs: nowMs() }),
    isInvalid: countsAsInvalid(heard),
  }
}

/**
 * Records outcomes. What the platform would have wait behind the life of its token is due at the end of that life.
 */
const recordOutcomes = async (
  { store, groupCommit, queueNowMs, sent, failed }: AnswerPorts,
  outcomes: ReadonlyArray<HeardAnswer>,
): Promise<void> => {
  const settled = outcomes.flatMap(({ owed, verdict }) =>
    verdict._tag === 'Again'
      ? []
      : [{ id: owed.id, givenUp: verdict._tag === 'Final' ? describeGivenUp(owed, verdict) : null }],
  )
  await groupCommit(() => {
    for (const { owed, verdict } of outcomes)
      if (verdict._tag === 'Again')
        store.postpone(
          owed.id,
          Math.min(queueNowMs() + Math.ceil(verdict.waitMs), owed.acceptedMs + answerLifeMs),
        )
    if (settled.length > 0) store.settle(settled, queueNowMs())
  })
  for (const { owed, verdict } of outcomes) {
    if (verdict._tag === 'Sent') sent(owed)
    if (verdict._tag === 'Final') failed(owed, verdict)
  }
}

/** The answers that no call is under way for: those to begin now, and when the next one is due. */
const findDue = (
  { store, queueNowMs }: AnswerPorts,
  limit: number,
  underWay: ReadonlySet<string>,
): { readonly due: ReadonlyArray<OwedAnswer>; readonly inMs: number | null } => {
  const nowMs = queueNowMs()
  const waiting = store.owed(limit + underWay.size + 1).filter(({ id }) => !underWay.has(id))
  const due = waiting.filter(({ dueMs }) => dueMs <= nowMs).slice(0, limit)
  const next = waiting.find(({ dueMs }) => dueMs > nowMs)
  return { due, inMs: next === undefined ? null : next.dueMs - nowMs }
}

/** The most answers that are given up in one transaction. */
const overdueMax = 100

const giveUpOverdue = async (ports: AnswerPorts, underWay: ReadonlySet<string>): Promise<boolean> => {
  const { store, queueNowMs } = ports
  const overdue = store
    .overdue(queueNowMs() - answerLifeMs, overdueMax + underWay.size)
    .filter(({ id }) => !underWay.has(id))
  const outcomes = overdue.map(owed => ({ owed, verdict: giveUp('expired'), isInvalid: false }))
  if (outcomes.length > 0) await recordOutcomes(ports, outcomes)
  return overdue.length >= overdueMax
}
