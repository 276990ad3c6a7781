import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type Actor, after, cancel, end, ready, type Step, stay } from '#src/kernel/actor/actor.js'

/**
 * A recorder writes a buffer to disk, one flush at a time; items that arrive meanwhile go with the next
 * flush. The buffer is outside the actor and outlives it, so that the end of an incarnation loses nothing.
 * The event journal and the streams are recorders.
 */

/** There is something to flush; `urgent`: now, otherwise after the delay. */
const Wake = t.type({ _tag: t.literal('Wake'), urgent: t.boolean })
export type Wake = t.TypeOf<typeof Wake>

/** `next`: what to do when the running work is done. */
export interface RecorderState {
  readonly isBusy: boolean
  readonly next: 'nothing' | 'wait' | 'flush' | 'close' | 'ended'
}

export type RecorderEffect =
  | { readonly _tag: 'Open' }
  | { readonly _tag: 'Flush' }
  | { readonly _tag: 'Tidy' }
  | { readonly _tag: 'Close' }

/** Only `open` may reject: without it there is nowhere to record to, and the supervisor handles the fault. */
export interface RecorderPorts {
  readonly open: () => Promise<void>
  readonly flush: () => Promise<void>
  readonly tidy: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Creates a recorder that flushes `delayMs` after the first item that is not urgent. */
export const recorder = (
  name: string,
  delayMs: number,
): Actor<RecorderState, Message, RecorderEffect, RecorderPorts> => ({
  name,
  codec: Message,
  mailboxMax: 4096,
  initial: () => [{ isBusy: true, next: 'nothing' }, [{ _tag: 'Open' }]],
  receive: receive(delayMs),
  perform,
  drain: { _tag: 'Drain' },
})

const Opened = t.type({ _tag: t.literal('Opened') })
const Flushed = t.type({ _tag: t.literal('Flushed') })
const Due = t.type({ _tag: t.literal('Due') })
const Tidy = t.type({ _tag: t.literal('Tidy') })
const Drain = t.type({ _tag: t.literal('Drain') })
const Message = t.union([Wake, Opened, Flushed, Due, Tidy, Drain], 'RecorderMessage')
type Message = t.TypeOf<typeof Message>

const tidyMs = 3_600_000
const flush: RecorderEffect = { _tag: 'Flush' }
const tidyLater = after<Message>('tidy', tidyMs, { _tag: 'Tidy' })
const ending = [flush, { _tag: 'Close' }, end] as const

type Stepped = Step<RecorderState, RecorderEffect, Message>

const flushing: Stepped = [{ isBusy: true, next: 'nothing' }, [cancel('due'), flush]]
const ended: Stepped = [{ isBusy: true, next: 'ended' }, [cancel('due'), ...ending]]
const waitFor = (delayMs: number): Stepped => [
  { isBusy: false, next: 'wait' },
  [after<Message>('due', delayMs, { _tag: 'Due' })],
]

const goOn = (state: RecorderState, delayMs: number): Stepped => {
  switch (state.next) {
    case 'nothing':
      return stay({ isBusy: false, next: 'nothing' })
    case 'wait':
      return waitFor(delayMs)
    case 'flush':
      return flushing
    case 'close':
      return ended
    case 'ended':
      return stay(state)
  }
}

const onWake = (state: RecorderState, urgent: boolean, delayMs: number): Stepped => {
  const isNow = urgent || delayMs === 0
  if (state.isBusy) {
    if (state.next === 'close' || state.next === 'ended') return stay(state)
    return stay({ isBusy: true, next: isNow || state.next === 'flush' ? 'flush' : 'wait' })
  }
  if (isNow) return flushing
  return state.next === 'wait' ? stay(state) : waitFor(delayMs)
}

const receive =
  (delayMs: number) =>
  (state: RecorderState, message: Message): Stepped => {
    switch (message._tag) {
      case 'Wake':
        return onWake(state, message.urgent, delayMs)
      case 'Opened': {
        const [next, effects] = goOn({ ...state, next: state.next === 'close' ? 'close' : 'flush' }, delayMs)
        return [next, [ready, tidyLater, ...effects]]
      }
      case 'Flushed':
        return goOn(state, delayMs)
      case 'Due':
        return state.isBusy ? stay(state) : flushing
      case 'Tidy':
        return [state, [{ _tag: 'Tidy' }, tidyLater]]
      case 'Drain':
        return state.isBusy ? stay({ isBusy: true, next: 'close' }) : ended
      default:
        return absurd(message)
    }
  }

const perform =
  (ports: RecorderPorts) =>
  async (effect: RecorderEffect): Promise<ReadonlyArray<Message>> => {
    switch (effect._tag) {
      case 'Open':
        await ports.open()
        return [{ _tag: 'Opened' }]
      case 'Flush':
        await ports.flush()
        return [{ _tag: 'Flushed' }]
      case 'Tidy':
        await ports.tidy()
        return []
      case 'Close':
        await ports.close()
        return []
      default:
        return absurd(effect)
    }
  }
