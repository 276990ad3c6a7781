import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type Actor, end, ready, type Step, stay } from '#src/kernel/actor/actor.js'

/**
 * The HTTP front owns the two listeners: it opens them, is ready when they listen, and closes them at its
 * drain. Requests never enter its mailbox: they read the snapshot or ask another actor.
 */

const Listening = t.type({ _tag: t.literal('Listening') })
const Drain = t.type({ _tag: t.literal('Drain') })
const Closed = t.type({ _tag: t.literal('Closed') })
const Message = t.union([Listening, Drain, Closed], 'HttpFrontMessage')
type Message = t.TypeOf<typeof Message>

type State = 'opening' | 'listening' | 'closing'
type Effect = { readonly _tag: 'Open' } | { readonly _tag: 'Close' }

export interface FrontPorts {
  /** Opens the listeners, after closing those of the previous incarnation. */
  readonly open: () => Promise<void>
  /** Stops listening and lets open requests finish. */
  readonly close: () => Promise<void>
}

const onMessage = (state: State, message: Message): Step<State, Effect, Message> => {
  switch (message._tag) {
    case 'Listening':
      return state === 'opening' ? ['listening', [ready]] : stay(state)
    case 'Drain':
      return ['closing', [{ _tag: 'Close' }]]
    case 'Closed':
      return [state, [end]]
    default:
      return absurd(message)
  }
}

export const httpFront: Actor<State, Message, Effect, FrontPorts> = {
  name: 'http-front',
  codec: Message,
  mailboxMax: 16,
  initial: () => ['opening', [{ _tag: 'Open' }]],
  receive: onMessage,
  perform: ports => async (effect, signal) => {
    if (signal.aborted) return []
    if (effect._tag === 'Open') {
      await ports.open()
      return [{ _tag: 'Listening' }]
    }
    await ports.close()
    return [{ _tag: 'Closed' }]
  },
  drain: { _tag: 'Drain' },
}
