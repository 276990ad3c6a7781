import { absurd } from 'fp-ts/lib/function.js'
import { freeAtMs, invalidBudget, recordStart, type Starts } from '#src/domain/chat/limits.js'
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
import type { AnswerCalls } from './answer-calls.js'
import { FollowUpMessage, type HeardAnswer } from './messages.js'

/**
 * The follow-up courier sends the answers to interactions, apart from every other call of the chat platform: no
 * notice and no limit of the bot holds them up, and no answer waits for the call of another one. The answers are in
 * `runtime.db` until they are sent or given up, so an incarnation goes on where the last one ended. It owns what the
 * platform said about the address of this host.
 */
export interface State {
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

export type Effect =
  | { readonly _tag: 'Look'; readonly limit: number; readonly underWay: ReadonlySet<string> }
  /** Gives up the answers whose tokens have ended while the platform holds this address. */
  | { readonly _tag: 'GiveUp'; readonly underWay: ReadonlySet<string> }
  | { readonly _tag: 'Record'; readonly outcomes: ReadonlyArray<HeardAnswer> }
  | { readonly _tag: 'Settle' }

export interface FollowUpPorts {
  readonly calls: AnswerCalls
  /** The code of a disk that refuses; null for any other error. */
  readonly diskCodeOf: (error: unknown) => string | null
  readonly refused: (code: string) => void
}

type Taken = Step<State, Effect, FollowUpMessage>

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

const initial: State = {
  ...{ isDraining: false, look: 'under way', underWay: new Set<string>(), isRecording: false, heard: [] },
  ...{ heldUntilMs: 0, invalid: [] },
}

export const followUpCourier: Actor<State, FollowUpMessage, Effect, FollowUpPorts> = {
  name: 'follow-up-courier',
  codec: FollowUpMessage,
  mailboxMax: 1_024,
  initial: () => [initial, [ready, { _tag: 'Look', limit: callsMax, underWay: initial.underWay }]],
  receive,
  perform,
  drain: { _tag: 'Drain' },
}
