import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type Actor, after, end, ready, type Step } from '#src/kernel/actor/actor.js'
import { backoffMs } from '#src/kernel/supervision/restart-policy.js'

/**
 * The reader pool owns the reader threads: it starts each, and restarts one that ended after a growing delay.
 * Questions never enter its mailbox: they go through the desk, which passes them to the main thread where no
 * thread can answer. A thread holds no state of its own: its successor receives everything again.
 */

/** A thread ended, whatever the reason. */
const Ended = t.type({ _tag: t.literal('Ended'), thread: t.number })
/** To self: it is time to start the thread again. */
const Due = t.type({ _tag: t.literal('Due'), thread: t.number })
const Drain = t.type({ _tag: t.literal('Drain') })
const Closed = t.type({ _tag: t.literal('Closed') })
export const ReaderPoolMessage = t.union([Ended, Due, Drain, Closed], 'ReaderPoolMessage')
export type ReaderPoolMessage = t.TypeOf<typeof ReaderPoolMessage>
export type ThreadEnded = t.TypeOf<typeof Ended>

export type PoolState =
  | { readonly _tag: 'Open'; readonly shifts: ReadonlyArray<Shift> }
  | { readonly _tag: 'Closing' }

export type PoolEffect =
  | { readonly _tag: 'Close' }
  | { readonly _tag: 'Reset' }
  | { readonly _tag: 'Start'; readonly thread: number }

export interface ReaderPoolPorts {
  /** Ends the threads of the previous incarnation. */
  readonly reset: () => Promise<void>
  /** Starts a thread; its end comes as `Ended`. */
  readonly start: (thread: number) => void
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
    const starts = all.map((thread): PoolEffect => ({ _tag: 'Start', thread }))
    return [{ _tag: 'Open', shifts }, [{ _tag: 'Reset' }, ...starts, ready]]
  },
  receive: (state, message, { monotonicMs, chance }) => {
    if (state._tag === 'Closing') return [state, message._tag === 'Closed' ? [end] : []]
    switch (message._tag) {
      case 'Ended':
        return onEnded(state, message.thread, monotonicMs, chance)
      case 'Due':
        return [
          state,
          message.thread < state.shifts.length ? [{ _tag: 'Start', thread: message.thread }] : [],
        ]
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

/** A thread that lived this long started well: its streak is over. */
const settledMs = 60_000

const onEnded = (
  state: Extract<PoolState, { _tag: 'Open' }>,
  thread: number,
  nowMs: number,
  chance: number,
): Step<PoolState, PoolEffect, ReaderPoolMessage> => {
  const shift = state.shifts[thread]
  if (shift === undefined) return [state, []]
  const streak = nowMs - shift.startedMs >= settledMs ? 0 : shift.streak
  const delayMs = backoffMs(streak, chance)
  const shifts = state.shifts.with(thread, { startedMs: nowMs + delayMs, streak: streak + 1 })
  return [{ ...state, shifts }, [after(`start-${thread}`, delayMs, { _tag: 'Due', thread })]]
}
