import { absurd } from 'fp-ts/lib/function.js'
import { type Actor, after, cancel, type Moment, ready, type Step, stay } from '#src/kernel/actor/actor.js'
import { DispatchQueueMessage } from './messages.js'
import { performStep, type StepPorts } from './perform-step.js'

/**
 * The dispatch queue carries out the interactions of `runtime.db`, one at a time, in ticks. A tick makes at most
 * `attemptsMax` attempts, begins none behind its budget and never overlaps another (S25). The next tick begins at
 * once while something is due; a timer is set only for what waits. An incarnation that starts queues again what ran,
 * and so does one whose disk refused to record an end.
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

export type Effect = { readonly _tag: 'Recover' } | { readonly _tag: 'Step' }

export interface TickRules {
  readonly attemptsMax: number
  readonly budgetMs: number
}

export interface DispatchQueuePorts extends StepPorts {
  readonly refused: (code: string) => void
}

type Message = DispatchQueueMessage
type Taken = Step<State, Effect, Message>

/** How long the queue rests after the disk refused. */
const diskPauseMs = 5_000
/** The longest effect: an attempt of a minute and the fetch before it. */
const stuckMs = 300_000

const key = 'tick'
const step: Effect = { _tag: 'Step' }

const beginTick = ({ monotonicMs }: Moment): Taken => [
  { _tag: 'Ticking', startedMs: monotonicMs, attempts: 0, isWoken: false },
  [cancel(key), step],
]

const tickIn = (delayMs: number): Taken => [
  { _tag: 'Idle' },
  [after<Message>(key, delayMs, { _tag: 'Tick' })],
]

const onAttempted = (
  { attemptsMax, budgetMs }: TickRules,
  state: Extract<State, { _tag: 'Ticking' }>,
  { monotonicMs }: Moment,
): Taken => {
  const attempts = state.attempts + 1
  const goesOn = attempts < attemptsMax && monotonicMs - state.startedMs <= budgetMs
  return goesOn ? [{ ...state, attempts, isWoken: false }, [step]] : tickIn(0)
}

const onNoneDue = (
  state: Extract<State, { _tag: 'Ticking' }>,
  inMs: number | null,
  moment: Moment,
): Taken => {
  if (state.isWoken) return beginTick(moment)
  return inMs === null ? [{ _tag: 'Idle' }, []] : tickIn(inMs)
}

const receive =
  (rules: TickRules) =>
  (state: State, message: Message, moment: Moment): Taken => {
    switch (message._tag) {
      case 'Wake':
        if (state._tag === 'Idle') return beginTick(moment)
        return stay(state._tag === 'Ticking' ? { ...state, isWoken: true } : state)
      case 'Tick':
        if (state._tag === 'Recovering') return [state, [{ _tag: 'Recover' }]]
        return state._tag === 'Idle' ? beginTick(moment) : stay(state)
      case 'Recovered':
        return beginTick(moment)
      case 'Attempted':
        return state._tag === 'Ticking' ? onAttempted(rules, state, moment) : stay(state)
      case 'NoneDue':
        return state._tag === 'Ticking' ? onNoneDue(state, message.inMs, moment) : stay(state)
      case 'DiskRefused':
        return [{ _tag: 'Recovering' }, [after<Message>(key, diskPauseMs, { _tag: 'Tick' })]]
      default:
        return absurd(message)
    }
  }

const perform =
  (ports: DispatchQueuePorts) =>
  async (effect: Effect, signal: AbortSignal): Promise<ReadonlyArray<Message>> => {
    try {
      if (effect._tag === 'Recover') {
        ports.store.recover(ports.nowMs())
        return [{ _tag: 'Recovered' }]
      }
      return [await performStep(ports, signal)]
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
})
