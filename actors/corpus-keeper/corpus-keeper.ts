import { absurd } from 'fp-ts/lib/function.js'
import type { Cell } from '#src/corpus/cell.js'
import { type Actor, after, ready, reply, type Step, stay } from '#src/kernel/actor.js'
import type { ReplyTo } from '#src/kernel/ref.js'
import { type Loaded, type LoadPorts, load } from './load.js'
import { CorpusKeeperMessage, type LookOutcome } from './messages.js'

/**
 * The corpus keeper owns the cell with the current snapshot and is the only one that fills it: at its start,
 * at every interval, at midnight and when it is told. It recovers from the committed trees alone and never
 * touches the work tree.
 */

type Asker = ReplyTo<LookOutcome>
type Message = CorpusKeeperMessage

/** `askers` wait for the look under way; who comes later waits for the next one. */
export type State =
  | { readonly _tag: 'Idle' }
  | { readonly _tag: 'Looking'; readonly askers: ReadonlyArray<Asker> }
  | {
      readonly _tag: 'LookingTwice'
      readonly askers: ReadonlyArray<Asker>
      readonly later: ReadonlyArray<Asker>
    }

export type Effect = { readonly _tag: 'Look' }

export interface KeeperPorts {
  readonly load: LoadPorts
  readonly cell: Cell<Loaded>
  /** Told of every look, for the log. */
  readonly looked: (outcome: LookOutcome) => void
}

export interface KeeperSetup {
  /** Time between two looks at HEAD; 0: only when told, and at midnight (D14). */
  readonly intervalMs: number
  readonly untilNextDayMs: (nowMs: number) => number
}

const retryMs = 1000
const look: Effect = { _tag: 'Look' }

const nextLookMs = (setup: KeeperSetup, outcome: LookOutcome, nowMs: number): number => {
  if (outcome._tag === 'LookFailed') return retryMs
  const dayMs = setup.untilNextDayMs(nowMs)
  return setup.intervalMs === 0 ? dayMs : Math.min(setup.intervalMs, dayMs)
}

const onRefresh = (state: State, asker: Asker): Step<State, Effect, Message> => {
  switch (state._tag) {
    case 'Idle':
      return [{ _tag: 'Looking', askers: [asker] }, [look]]
    case 'Looking':
      return stay({ _tag: 'LookingTwice', askers: state.askers, later: [asker] })
    case 'LookingTwice':
      return stay({ ...state, later: [...state.later, asker] })
    default:
      return absurd(state)
  }
}

const onTick = (state: State): Step<State, Effect, Message> =>
  state._tag === 'Idle' ? [{ _tag: 'Looking', askers: [] }, [look]] : stay(state)

const onLooked = (
  setup: KeeperSetup,
  state: State,
  outcome: LookOutcome,
  nowMs: number,
): Step<State, Effect, Message> => {
  if (state._tag === 'Idle') return stay(state)
  const answers = state.askers.map(asker => reply(asker, outcome))
  if (state._tag === 'LookingTwice') return [{ _tag: 'Looking', askers: state.later }, [...answers, look]]
  return [{ _tag: 'Idle' }, [...answers, after('tick', nextLookMs(setup, outcome, nowMs), { _tag: 'Tick' })]]
}

const lookNow = async (ports: KeeperPorts, signal: AbortSignal): Promise<LookOutcome> => {
  const before = ports.cell.get()
  try {
    const next = await load(ports.load, before)
    if (next !== null && !signal.aborted) ports.cell.set(next)
    const { generation, commit } = (next ?? before)?.build.snapshot ?? { generation: 0, commit: null }
    return { _tag: 'Current', generation, commit }
  } catch (error) {
    return { _tag: 'LookFailed', reason: error instanceof Error ? error.message : String(error) }
  }
}

const perform =
  (ports: KeeperPorts) =>
  async (_effect: Effect, signal: AbortSignal): Promise<ReadonlyArray<Message>> => {
    const outcome = await lookNow(ports, signal)
    if (!signal.aborted) ports.looked(outcome)
    return [{ _tag: 'Looked', outcome }]
  }

export const corpusKeeper = (setup: KeeperSetup): Actor<State, Message, Effect, KeeperPorts> => ({
  name: 'corpus-keeper',
  codec: CorpusKeeperMessage,
  mailboxMax: 256,
  stuckMs: 120_000,
  initial: () => [{ _tag: 'Looking', askers: [] }, [ready, look]],
  receive: (state, message, moment) => {
    switch (message._tag) {
      case 'Refresh':
        return onRefresh(state, message.replyTo)
      case 'Tick':
        return onTick(state)
      case 'Looked':
        return onLooked(setup, state, message.outcome, moment.nowMs)
      default:
        return absurd(message)
    }
  },
  perform,
})
