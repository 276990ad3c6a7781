import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { invalidBudget } from '#src/domain/chat/limits.js'
import { freeAtMs, recordStart, type Starts } from '#src/domain/chat/window.js'
import { type Actor, after, cancel, type Moment, ready, type Step, stay } from '#src/kernel/actor/actor.js'
import { type AnswerPorts, giveUpOverdue, sendAnswers } from './send-answers.js'

/** An answer is owed. */
const Wake = t.type({ _tag: t.literal('Wake') })
/** To self: a round is due. */
const Due = t.type({ _tag: t.literal('Due') })
/** To self: a round has ended. */
const Ended = t.type({
  _tag: t.literal('Ended'),
  inMs: t.union([t.number, t.null]),
  holdMs: t.number,
  invalid: t.number,
  isHeld: t.boolean,
})
/** To self: the disk refused. */
const DiskRefused = t.type({ _tag: t.literal('DiskRefused') })

export const FollowUpMessage = t.union([Wake, Due, Ended, DiskRefused], 'FollowUpMessage')
export type FollowUpMessage = t.TypeOf<typeof FollowUpMessage>

/**
 * The follow-up courier sends the answers to interactions, apart from every other call of the chat platform: no
 * notice and no limit of the bot holds them up. The answers are in `runtime.db` until they are sent or given up, so an
 * incarnation goes on where the last one ended. It owns what the platform said about the address of this host.
 */
export interface State {
  /** `held`: the platform holds this address, and a timer is set for the next look. */
  readonly phase: 'idle' | 'sending' | 'held'
  /** An answer was recorded since the round began. */
  readonly isWoken: boolean
  readonly heldUntilMs: number
  readonly invalid: Starts
}

/** `isHeld`: the round sends nothing, and gives up the answers whose time is over. */
export interface Effect {
  readonly _tag: 'Send'
  readonly isHeld: boolean
}

export interface FollowUpPorts extends AnswerPorts {
  /** The code of a disk that refuses; null for any other error. */
  readonly diskCodeOf: (error: unknown) => string | null
  readonly refused: (code: string) => void
}

type Taken = Step<State, Effect, FollowUpMessage>

const key = 'due'
const diskPauseMs = 5_000
/** The longest time between two looks while the platform holds this address. */
const heldLookMs = 30_000

const waitFor = (state: State, delayMs: number): Taken => [
  { ...state, phase: 'idle', isWoken: false },
  [after<FollowUpMessage>(key, delayMs, { _tag: 'Due' })],
]

/** How long the platform still holds this address; 0 or less where it does not. */
const findHoldMs = (state: State, { monotonicMs }: Moment): number =>
  Math.max(state.heldUntilMs, freeAtMs(invalidBudget, state.invalid)) - monotonicMs

const beginRound = (state: State, moment: Moment): Taken => [
  { ...state, phase: 'sending', isWoken: false },
  [cancel(key), { _tag: 'Send', isHeld: findHoldMs(state, moment) > 0 }],
]

const onEnded = (state: State, ended: t.TypeOf<typeof Ended>, moment: Moment): Taken => {
  const { inMs, holdMs, invalid, isHeld } = ended
  const { monotonicMs } = moment
  const known: State = {
    ...state,
    phase: 'idle',
    heldUntilMs: Math.max(state.heldUntilMs, monotonicMs + holdMs),
    invalid: Array.from({ length: invalid }).reduce<Starts>(
      starts => recordStart(invalidBudget, starts, monotonicMs),
      state.invalid,
    ),
  }
  const leftMs = findHoldMs(known, moment)
  if (isHeld && leftMs > 0 && inMs !== 0) {
    const [held, effects] = waitFor(known, Math.min(leftMs, heldLookMs))
    return [{ ...held, phase: 'held' }, effects]
  }
  if (isHeld || state.isWoken || inMs === 0) return beginRound(known, moment)
  return inMs === null ? stay({ ...known, isWoken: false }) : waitFor(known, inMs)
}

const receive = (state: State, message: FollowUpMessage, moment: Moment): Taken => {
  switch (message._tag) {
    case 'Wake':
      if (state.phase === 'held') return stay(state)
      return state.phase === 'idle' ? beginRound(state, moment) : stay({ ...state, isWoken: true })
    case 'Due':
      return state.phase === 'sending' ? stay(state) : beginRound(state, moment)
    case 'Ended':
      return onEnded(state, message, moment)
    case 'DiskRefused':
      return waitFor(state, diskPauseMs)
    default:
      return absurd(message)
  }
}

const perform =
  (ports: FollowUpPorts) =>
  async ({ isHeld }: Effect, signal: AbortSignal): Promise<ReadonlyArray<FollowUpMessage>> => {
    try {
      const outcome = isHeld ? giveUpOverdue(ports) : await sendAnswers(ports, signal)
      return [{ _tag: 'Ended', isHeld, ...outcome }]
    } catch (error) {
      const code = ports.diskCodeOf(error)
      if (code === null) throw error
      ports.refused(code)
      return [{ _tag: 'DiskRefused' }]
    }
  }

export const followUpCourier: Actor<State, FollowUpMessage, Effect, FollowUpPorts> = {
  name: 'follow-up-courier',
  codec: FollowUpMessage,
  mailboxMax: 256,
  initial: () => [
    { phase: 'sending', isWoken: false, heldUntilMs: 0, invalid: [] },
    [ready, { _tag: 'Send', isHeld: false }],
  ],
  receive,
  perform,
}
