import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type Actor, after, ready, type Step } from '#src/kernel/actor/actor.js'

/** The longest copy, over all towns. */
export const copyTimeoutMs = 120_000

export interface ArtifactCopierPorts {
  /** Reads the stamp of the archive. Returns whether this host should copy an artifact. Never rejects. */
  readonly stamp: () => Promise<boolean>
  /** Copies what it can from other towns, and returns how many it asked. Never rejects, and ends within its limits. */
  readonly copy: (signal: AbortSignal) => Promise<number>
}

export interface CopierOptions {
  readonly intervalMs: number
}

export const artifactCopier = (setup: CopierOptions): Actor<State, Message, Effect, ArtifactCopierPorts> => ({
  name: 'artifact-copier',
  codec: ArtifactCopierMessage,
  mailboxMax: 256,
  stuckMs: 2 * copyTimeoutMs,
  initial: () => [
    { doing: 'stamp', isWoken: false, mayCopy: true },
    [ready, { _tag: 'Stamp' }, after('due', setup.intervalMs, { _tag: 'Due' })],
  ],
  receive: receive(setup),
  perform,
})

/** The served commit changed, or a town was probed. */
const Wake = t.type({ _tag: t.literal('Wake') })
/** To self: an interval is over since the start or the last copy. */
const Due = t.type({ _tag: t.literal('Due') })
/** To self: the stamp of the archive is read. `lacks`: this host should copy an artifact. */
const Stamped = t.type({ _tag: t.literal('Stamped'), lacks: t.boolean })
/** To self: a copy has ended. `asked`: how many towns were asked. */
const Copied = t.type({ _tag: t.literal('Copied'), asked: t.number })

export const ArtifactCopierMessage = t.union([Wake, Due, Stamped, Copied], 'ArtifactCopierMessage')
export type ArtifactCopierMessage = t.TypeOf<typeof ArtifactCopierMessage>

/**
 * The artifact copier keeps the stamp of the transcript archive current, and copies what does not describe the archive
 * from another town. It does one thing at a time, and begins no copy within an interval of one that asked a town.
 */
interface State {
  readonly doing: 'nothing' | 'stamp' | 'copy'
  /** Whether the stamp has to be read again after what it does now. */
  readonly isWoken: boolean
  readonly mayCopy: boolean
}

type Effect = { readonly _tag: 'Stamp' } | { readonly _tag: 'Copy' }

type Message = ArtifactCopierMessage
type Turn = Step<State, Effect, Message>

const wake = (state: State): Turn =>
  state.doing === 'nothing'
    ? [{ ...state, doing: 'stamp', isWoken: false }, [{ _tag: 'Stamp' }]]
    : [{ ...state, isWoken: true }, []]

/** Ends what it does, and goes on with what has waited. */
const finish = (state: State): Turn => {
  const idle: State = { ...state, doing: 'nothing' }
  return state.isWoken ? wake(idle) : [idle, []]
}

const receive =
  ({ intervalMs }: CopierOptions) =>
  (state: State, message: Message): Turn => {
    switch (message._tag) {
      case 'Wake':
        return wake(state)
      case 'Due': {
        const [next, effects] = wake({ ...state, mayCopy: true })
        return [next, [...effects, after('due', intervalMs, { _tag: 'Due' })]]
      }
      case 'Stamped':
        return state.doing === 'stamp' && state.mayCopy && message.lacks
          ? [{ ...state, doing: 'copy' }, [{ _tag: 'Copy' }]]
          : finish(state)
      case 'Copied': {
        if (message.asked === 0) return finish(state)
        const [next, effects] = finish({ ...state, mayCopy: false })
        return [next, [...effects, after('due', intervalMs, { _tag: 'Due' })]]
      }
      default:
        return absurd(message)
    }
  }

const perform =
  (ports: ArtifactCopierPorts) =>
  async (effect: Effect, signal: AbortSignal): Promise<ReadonlyArray<Message>> => {
    if (effect._tag === 'Stamp') return [{ _tag: 'Stamped', lacks: await ports.stamp() }]
    return [{ _tag: 'Copied', asked: await ports.copy(signal) }]
  }
