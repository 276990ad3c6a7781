import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type Actor, after, ready, type Step } from '#src/kernel/actor/actor.js'

/**
 * The model keeper reads the store of models again where another program changed it, and follows training runs at the
 * forge. It owns nothing that a restart loses: the store and the steps of runs are on disk. It is ready after its first
 * turn, so that no request meets a store that is not read yet.
 */

/** A run was asked for. */
const Wake = t.type({ _tag: t.literal('Wake') })
/** To self: it is time for the next turn. */
const Due = t.type({ _tag: t.literal('Due') })
const Turned = t.type({ _tag: t.literal('Turned'), nextMs: t.number })

export const ModelKeeperMessage = t.union([Wake, Due, Turned], 'ModelKeeperMessage')
export type ModelKeeperMessage = t.TypeOf<typeof ModelKeeperMessage>

export interface ModelKeeperPorts {
  /** Reads what has changed, and takes runs a step further. Returns ms until the next turn. Never rejects. */
  readonly turn: (signal: AbortSignal) => Promise<number>
}

export const modelKeeper: Actor<State, Message, Effect, ModelKeeperPorts> = {
  name: 'model-keeper',
  codec: ModelKeeperMessage,
  mailboxMax: 256,
  stuckMs: 900_000,
  initial: () => [{ isBusy: true, isWoken: false, isReady: false }, [{ _tag: 'Turn' }]],
  receive: (state, message) => receive(state, message),
  perform: ports => async (_effect, signal) => [{ _tag: 'Turned', nextMs: await ports.turn(signal) }],
}

type Message = ModelKeeperMessage

interface State {
  readonly isBusy: boolean
  /** Whether another turn follows at once. */
  readonly isWoken: boolean
  readonly isReady: boolean
}

interface Effect {
  readonly _tag: 'Turn'
}

type Turn = Step<State, Effect, Message>

const receive = (state: State, message: Message): Turn => {
  switch (message._tag) {
    case 'Wake':
    case 'Due':
      return state.isBusy
        ? [{ ...state, isWoken: true }, []]
        : [{ ...state, isBusy: true, isWoken: false }, [{ _tag: 'Turn' }]]
    case 'Turned': {
      const nextMs = state.isWoken ? 0 : message.nextMs
      const due = after<Message>('due', nextMs, { _tag: 'Due' })
      const idle: State = { isBusy: false, isWoken: false, isReady: true }
      return [idle, state.isReady ? [due] : [ready, due]]
    }
    default:
      return absurd(message)
  }
}
