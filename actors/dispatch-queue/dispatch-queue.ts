import { absurd } from 'fp-ts/lib/function.js'
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
import { DispatchQueueMessage, type SettledDispatch } from './messages.js'
import { performStep, recordLast, type StepPorts } from './perform-step.js'

/**
 * The dispatch queue carries out the interactions of `runtime.db`, one at a time, in ticks. A tick makes at most
 * `attemptsMax` attempts, begins none behind its budget and never overlaps another (S25). The next tick begins at
 * once while something is due; a timer is set only for what waits. The end of an attempt is recorded in one transaction
 * with the begin of the next. An incarnation that starts queues again what ran, and so does one whose disk refused to
 * record an end.
 */
export type State =
  | { readonly _tag: 'Recovering' }
  | { readonly _tag: 'Idle' }
  /** `isWoken`: an interaction was recorded since the last look at the store began. */
  | {
      readonly _tag: 'Ticking'
      readonly startedMs: number
      readonly attempts: number
      readonly isWoken: boolean
    }
  /** The host ends: an attempt that is under way is the last one. */
  | { readonly _tag: 'Draining' }

export type Effect =
  | { readonly _tag: 'Recover' }
  | { readonly _tag: 'ReleaseHeld' }
  /** Records the last attempt, if there is one, and makes the next. `opensTick`: that is the first of a tick. */
  | { readonly _tag: 'Step'; readonly last: SettledDispatch | null; readonly opensTick: boolean }
  | { readonly _tag: 'RecordLast'; readonly last: SettledDispatch }
  | { readonly _tag: 'EndTick'; readonly elapsedMs: number }

export interface TickRules {
  readonly attemptsMax: number
  readonly budgetMs: number
}

export interface DispatchQueuePorts extends StepPorts {
  readonly refused: (code: string) => void
  /** Called at the end of each tick that made an attempt. */
  readonly ticked: (elapsedMs: number) => void
}

type Message = DispatchQueueMessage
type Taken = Step<State, Effect, Message>

/** How long the queue rests after the disk refused. */
const diskPauseMs = 5_000
/** The longest effect: an attempt of a minute and the fetch before it. */
const stuckMs = 300_000

const key = 'tick'

const beginTick = ({ monotonicMs }: Moment, last: SettledDispatch | null = null): Taken => [
  { _tag: 'Ticking', startedMs: monotonicMs, attempts: 0, isWoken: false },
  [cancel(key), { _tag: 'Step', last, opensTick: true }],
]

/** The end of a tick; none of a look that found nothing due. */
const endTick = (
  { startedMs }: Extract<State, { _tag: 'Ticking' }>,
  attempts: number,
  { monotonicMs }: Moment,
): Taken[1] => (attempts === 0 ? [] : [{ _tag: 'EndTick', elapsedMs: monotonicMs - startedMs }])

const tickIn = (delayMs: number): Taken => [
  { _tag: 'Idle' },
  [after<Message>(key, delayMs, { _tag: 'Tick' })],
]

/** Makes due what is held, before the next look. */
const onLoreRead = (state: State, moment: Moment): Taken => {
  const [next, effects] = state._tag === 'Idle' ? beginTick(moment) : stay<State>(state)
  const woken: State = next._tag === 'Ticking' ? { ...next, isWoken: true } : next
  return [woken, [{ _tag: 'ReleaseHeld' }, ...effects]]
}

const onAttempted = (
  { attemptsMax, budgetMs }: TickRules,
  state: Extract<State, { _tag: 'Ticking' }>,
  last: SettledDispatch,
  moment: Moment,
): Taken => {
  const attempts = state.attempts + 1
  const goesOn = attempts < attemptsMax && moment.monotonicMs - state.startedMs <= budgetMs
  if (!goesOn) {
    const [next, effects] = beginTick(moment, last)
    return [next, [...endTick(state, attempts, moment), ...effects]]
  }
  return [{ ...state, attempts, isWoken: false }, [{ _tag: 'Step', last, opensTick: false }]]
}

const onNoneDue = (
  state: Extract<State, { _tag: 'Ticking' }>,
  inMs: number | null,
  moment: Moment,
): Taken => {
  const [next, effects] = state.isWoken
    ? beginTick(moment)
    : inMs === null
      ? stay<State>({ _tag: 'Idle' })
      : tickIn(inMs)
  return [next, [...endTick(state, state.attempts, moment), ...effects]]
}

/** Ends at once, unless a step is under way: its outcome then ends the drain. */
const onDrain = (state: State): Taken => [{ _tag: 'Draining' }, state._tag === 'Ticking' ? [] : [end]]

const receiveDraining = (state: State, message: Message): Taken =>
  message._tag === 'Attempted'
    ? [state, [{ _tag: 'RecordLast', last: message.settled }]]
    : message._tag === 'Wake' || message._tag === 'LoreRead' || message._tag === 'Drain'
      ? stay(state)
      : [state, [end]]

const receive =
  (rules: TickRules) =>
  (state: State, message: Message, moment: Moment): Taken => {
    if (state._tag === 'Draining') return receiveDraining(state, message)
    switch (message._tag) {
      case 'Wake':
        if (state._tag === 'Idle') return beginTick(moment)
        return stay(state._tag === 'Ticking' ? { ...state, isWoken: true } : state)
      case 'LoreRead':
        return onLoreRead(state, moment)
      case 'Tick':
        if (state._tag === 'Recovering') return [state, [{ _tag: 'Recover' }]]
        return state._tag === 'Idle' ? beginTick(moment) : stay(state)
      case 'Recovered':
        return beginTick(moment)
      case 'Attempted':
        return state._tag === 'Ticking' ? onAttempted(rules, state, message.settled, moment) : stay(state)
      case 'NoneDue':
        return state._tag === 'Ticking' ? onNoneDue(state, message.inMs, moment) : stay(state)
      case 'DiskRefused':
        return [{ _tag: 'Recovering' }, [after<Message>(key, diskPauseMs, { _tag: 'Tick' })]]
      case 'Drain':
        return onDrain(state)
      case 'LastRecorded':
        return stay(state)
      default:
        return absurd(message)
    }
  }

const carryOut = async (
  ports: DispatchQueuePorts,
  effect: Effect,
  signal: AbortSignal,
): Promise<ReadonlyArray<Message>> => {
  switch (effect._tag) {
    case 'Recover':
      ports.store.recover(ports.nowMs())
      return [{ _tag: 'Recovered' }]
    case 'ReleaseHeld':
      ports.store.releaseHeld(ports.nowMs())
      return []
    case 'Step':
      return [await performStep(ports, effect.last, signal)]
    case 'RecordLast':
      await recordLast(ports, effect.last)
      return [{ _tag: 'LastRecorded' }]
    case 'EndTick':
      ports.ticked(effect.elapsedMs)
      return []
    default:
      return absurd(effect)
  }
}

const perform =
  (ports: DispatchQueuePorts) =>
  async (effect: Effect, signal: AbortSignal): Promise<ReadonlyArray<Message>> => {
    try {
      return await carryOut(ports, effect, signal)
    } catch (error) {
      const code = ports.diskCodeOf(error)
      if (code === null) throw error
      ports.refused(code)
      return [{ _tag: 'DiskRefused', code }]
    }
  }

export const dispatchQueue = (rules: TickRules): Actor<State, Message, Effect, DispatchQueuePorts> => ({
  name: 'dispatch-queue',
  codec: DispatchQueueMessage,
  mailboxMax: 256,
  stuckMs,
  initial: () => [{ _tag: 'Recovering' }, [ready, { _tag: 'Recover' }]],
  receive: receive(rules),
  perform,
  drain: { _tag: 'Drain' },
})
