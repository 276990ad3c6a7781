import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { MonitorDocument, MonitorFailure } from '#protocol/fleet/monitor.js'
import { type Actor, after, ready, type Step, stay } from '#src/kernel/actor/actor.js'

export type MonitorOutcome = t.TypeOf<typeof Fetched>['outcome']

export interface MonitorWatcherPorts {
  /** Fetches the document. Never rejects, and ends within its limits. */
  readonly fetch: (signal: AbortSignal) => Promise<MonitorOutcome>
  readonly record: (outcome: MonitorOutcome) => void
}

export interface MonitorWatcherOptions {
  /** Whether `fleet.monitor_url` is set; without it nothing is fetched. */
  readonly isConfigured: boolean
  readonly intervalMs: number
}

export const monitorWatcher = (
  setup: MonitorWatcherOptions,
): Actor<State, Message, Effect, MonitorWatcherPorts> => ({
  name: 'monitor-watcher',
  codec: MonitorWatcherMessage,
  mailboxMax: 16,
  initial: () =>
    setup.isConfigured ? [{ _tag: 'Fetching' }, [ready, { _tag: 'Fetch' }]] : [{ _tag: 'Off' }, [ready]],
  receive: receive(setup),
  perform,
})

/** To self: the wait since the last fetch is over. */
const Due = t.type({ _tag: t.literal('Due') })
/** To self: how a fetch has ended. */
const Fetched = t.type({
  _tag: t.literal('Fetched'),
  outcome: t.union([
    t.type({ _tag: t.literal('Read'), document: MonitorDocument }),
    t.type({ _tag: t.literal('Failed'), why: MonitorFailure }),
  ]),
})

const MonitorWatcherMessage = t.union([Due, Fetched], 'MonitorWatcherMessage')
type MonitorWatcherMessage = t.TypeOf<typeof MonitorWatcherMessage>

/**
 * The monitor watcher fetches the document of the outside monitor, one fetch at a time, each an interval after the
 * one before ended. What it fetched outlives it in memory, so a restart loses nothing; nothing is on disk.
 */
type State = { readonly _tag: 'Off' } | { readonly _tag: 'Waiting' } | { readonly _tag: 'Fetching' }

type Effect = { readonly _tag: 'Fetch' } | { readonly _tag: 'Record'; readonly outcome: MonitorOutcome }

type Message = MonitorWatcherMessage
type Turn = Step<State, Effect, Message>

const onFetched = (state: State, outcome: MonitorOutcome, intervalMs: number): Turn => {
  const record: Effect = { _tag: 'Record', outcome }
  return state._tag === 'Fetching'
    ? [{ _tag: 'Waiting' }, [record, after('due', intervalMs, { _tag: 'Due' })]]
    : [state, [record]]
}

const receive =
  ({ intervalMs }: MonitorWatcherOptions) =>
  (state: State, message: Message): Turn => {
    switch (message._tag) {
      case 'Due':
        return state._tag === 'Waiting' ? [{ _tag: 'Fetching' }, [{ _tag: 'Fetch' }]] : stay(state)
      case 'Fetched':
        return onFetched(state, message.outcome, intervalMs)
      default:
        return absurd(message)
    }
  }

const perform =
  (ports: MonitorWatcherPorts) =>
  async (effect: Effect, signal: AbortSignal): Promise<ReadonlyArray<Message>> => {
    if (effect._tag === 'Fetch') return [{ _tag: 'Fetched', outcome: await ports.fetch(signal) }]
    ports.record(effect.outcome)
    return []
  }
