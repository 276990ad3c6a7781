import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type Actor, after, type KernelEffect, ready, type Step } from '#src/kernel/actor/actor.js'

/** What came of a look: nothing to make, made, or the index of transcripts is not ready for it. */
export const MentionOutcome = t.keyof({ fresh: null, made: null, unready: null }, 'MentionOutcome')
export type MentionOutcome = t.TypeOf<typeof MentionOutcome>

/** The index of transcripts changed, or an artifact was copied. */
const Wake = t.type({ _tag: t.literal('Wake') })
/** To self: an interval is over since the artifact was made. */
const Due = t.type({ _tag: t.literal('Due') })
const Looked = t.type({ _tag: t.literal('Looked'), outcome: MentionOutcome })

export const MentionIndexMessage = t.union([Wake, Due, Looked], 'MentionIndexMessage')
export type MentionIndexMessage = t.TypeOf<typeof MentionIndexMessage>

export interface MentionIndexPorts {
  /**
   * Hands the artifact of this host to the index of transcripts, and makes one where it may and none describes the
   * archive. Never rejects.
   */
  readonly refresh: (mayMake: boolean) => Promise<MentionOutcome>
}

export interface MentionIndexOptions {
  /** Least time between two artifacts; with 0 this host makes none. */
  readonly intervalMs: number
}

/**
 * The mention index makes the derived artifact `mentions`: at the start, then after commits at most once in an
 * interval. It has no state to lose: the artifact is in the state area, and is made again where it is not.
 */
export const mentionIndex = (
  options: MentionIndexOptions,
): Actor<State, Message, Effect, MentionIndexPorts> => ({
  name: 'mention-index',
  codec: MentionIndexMessage,
  mailboxMax: 256,
  stuckMs: refreshMsMax,
  initial: () => [
    { isBusy: true, isWoken: false, mayMake: options.intervalMs > 0 },
    [ready, { _tag: 'Refresh', mayMake: options.intervalMs > 0 }],
  ],
  receive: (state, message) => receive(state, message, options),
  perform: ports => async effect => [{ _tag: 'Looked', outcome: await ports.refresh(effect.mayMake) }],
})

type Message = MentionIndexMessage

interface State {
  readonly isBusy: boolean
  /** Whether it has to look again after the current look. */
  readonly isWoken: boolean
  /** False for an interval after an artifact was made. */
  readonly mayMake: boolean
}

interface Effect {
  readonly _tag: 'Refresh'
  readonly mayMake: boolean
}

type Turn = Step<State, Effect, Message>

/** Longer than an artifact takes to make. */
const refreshMsMax = 900_000

const look = (state: State): Turn =>
  state.isBusy
    ? [{ ...state, isWoken: true }, []]
    : [{ ...state, isBusy: true, isWoken: false }, [{ _tag: 'Refresh', mayMake: state.mayMake }]]

const receive = (state: State, message: Message, { intervalMs }: MentionIndexOptions): Turn => {
  switch (message._tag) {
    case 'Wake':
      return look(state)
    case 'Due':
      return look({ ...state, mayMake: intervalMs > 0 })
    case 'Looked': {
      const isMade = message.outcome === 'made'
      const rest: ReadonlyArray<KernelEffect<Message>> = isMade
        ? [after('due', intervalMs, { _tag: 'Due' })]
        : []
      const idle: State = { ...state, isBusy: false, mayMake: isMade ? false : state.mayMake }
      const [next, effects] = state.isWoken ? look(idle) : [{ ...idle, isWoken: false }, []]
      return [next, [...rest, ...effects]]
    }
    default:
      return absurd(message)
  }
}
