import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type Actor, after, cancel, end, ready, type Step } from '#src/kernel/actor/actor.js'
import { backoffMs } from '#src/kernel/supervision/restart-policy.js'

/**
 * The reader pool owns the reader threads: it starts each, ends one that is not up in time, and starts one that
 * ended again, after a growing delay. A thread holds no state of its own: its successor receives everything again.
 *
 * Questions do not enter its mailbox. An actor takes one message a turn of the loop and a turn brings many requests:
 * where each turn has 1 ms of other work, the last of 50 questions would be taken after 50 ms. And no read may wait
 * while the pool rests after a fault. The exchange (`exchange.ts`) passes questions to the threads at once, by the
 * rules of `schedule.ts`: which thread takes a question, how many may wait, and
 * whether a question is asked again when its thread has ended.
 */

const ofThread = { thread: t.number }

/** A thread can take questions. */
const Up = t.type({ _tag: t.literal('Up'), ...ofThread })
/** A thread ended, whatever the reason. */
const Ended = t.type({ _tag: t.literal('Ended'), ...ofThread })
/** To self: the thread should be up by now. */
const Overdue = t.type({ _tag: t.literal('Overdue'), ...ofThread })
/** To self: it is time to start the thread again. */
const Due = t.type({ _tag: t.literal('Due'), ...ofThread })
const Drain = t.type({ _tag: t.literal('Drain') })
const Closed = t.type({ _tag: t.literal('Closed') })
export const ReaderPoolMessage = t.union([Up, Ended, Overdue, Due, Drain, Closed], 'ReaderPoolMessage')
export type ReaderPoolMessage = t.TypeOf<typeof ReaderPoolMessage>
/** What the exchange reports of a thread. */
export type ThreadReport = t.TypeOf<typeof Up> | t.TypeOf<typeof Ended>

export type PoolState =
  | { readonly _tag: 'Open'; readonly shifts: ReadonlyArray<Shift> }
  | { readonly _tag: 'Closing' }

export type PoolEffect =
  | { readonly _tag: 'Reset' }
  | { readonly _tag: 'Close' }
  | { readonly _tag: 'Start'; readonly thread: number }
  | { readonly _tag: 'End'; readonly thread: number }

export interface ReaderPoolPorts {
  /** Ends the threads of the previous incarnation. */
  readonly reset: () => Promise<void>
  /** Starts a thread that does not run; `Up` and `Ended` follow. */
  readonly start: (thread: number) => void
  /** Ends a thread that takes too long; `Ended` follows. */
  readonly end: (thread: number) => void
  /** Ends every thread and rejects the waiting questions. */
  readonly close: () => Promise<void>
}

export const readerPool = (
  threads: number,
): Actor<PoolState, ReaderPoolMessage, PoolEffect, ReaderPoolPorts> => ({
  name: 'reader-pool',
  codec: ReaderPoolMessage,
  mailboxMax: 256,
  initial: ({ monotonicMs }) => {
    const all = Array.from({ length: threads }, (_, thread) => thread)
    const shifts = all.map((): Shift => ({ startedMs: monotonicMs, streak: 0 }))
    return [{ _tag: 'Open', shifts }, [{ _tag: 'Reset' }, ...all.flatMap(start), ready]]
  },
  receive: (state, message, { monotonicMs, chance }) => {
    if (state._tag === 'Closing') return [state, message._tag === 'Closed' ? [end] : []]
    switch (message._tag) {
      case 'Up':
        return [state, [cancel(`limit-${message.thread}`)]]
      case 'Ended':
        return onEnded(state, message.thread, monotonicMs, chance)
      case 'Overdue':
        return [state, [{ _tag: 'End', thread: message.thread }]]
      case 'Due':
        return [state, message.thread < state.shifts.length ? start(message.thread) : []]
      case 'Drain':
        return [{ _tag: 'Closing' }, [{ _tag: 'Close' }]]
      case 'Closed':
        return [state, []]
      default:
        return absurd(message)
    }
  },
  perform: ports => async (effect, signal) => {
    if (signal.aborted) return []
    switch (effect._tag) {
      case 'Reset':
        await ports.reset()
        return []
      case 'Start':
        ports.start(effect.thread)
        return []
      case 'End':
        ports.end(effect.thread)
        return []
      case 'Close':
        await ports.close()
        return [{ _tag: 'Closed' }]
      default:
        return absurd(effect)
    }
  },
  drain: { _tag: 'Drain' },
})

/** One thread: since when it runs or is down, and how many starts in a row were short-lived. */
interface Shift {
  readonly startedMs: number
  readonly streak: number
}

type Turn = Step<PoolState, PoolEffect, ReaderPoolMessage>

/** A thread that lived this long started well: its streak is over. */
const settledMs = 60_000

/** How long a thread may take until it is up. */
const startMs = 30_000

const start = (thread: number): Turn[1] => [
  { _tag: 'Start', thread },
  after(`limit-${thread}`, startMs, { _tag: 'Overdue', thread }),
]

const onEnded = (
  state: Extract<PoolState, { _tag: 'Open' }>,
  thread: number,
  nowMs: number,
  chance: number,
): Turn => {
  const shift = state.shifts[thread]
  if (shift === undefined) return [state, []]
  const streak = nowMs - shift.startedMs >= settledMs ? 0 : shift.streak
  const delayMs = backoffMs(streak, chance)
  const shifts = state.shifts.with(thread, { startedMs: nowMs + delayMs, streak: streak + 1 })
  return [
    { ...state, shifts },
    [cancel(`limit-${thread}`), after(`start-${thread}`, delayMs, { _tag: 'Due', thread })],
  ]
}
