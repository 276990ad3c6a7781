import { absurd } from 'fp-ts/lib/function.js'
import { findPause, type HostClocks, type HostPause } from '#src/domain/fleet/host-pause.js'
import {
  type PeerRecord,
  type PeerTrack,
  type ProbeResult,
  startTrack,
  trackProbe,
  unsettleTrack,
} from '#src/domain/fleet/peer-record.js'
import { type Actor, after, type Perform, ready, type Step } from '#src/kernel/actor/actor.js'
import { PeerWatcherMessage, type Probed } from './messages.js'

/**
 * A peer watcher probes one other town at a fixed interval and owns what this host knows of it. Each probe ends
 * within its time-out, and the next one begins an interval after it began. Where this host was paused, a converge
 * comes before the next probe. After a restart of the watcher the misses are 0; nothing is on disk.
 */

export interface State {
  readonly track: PeerTrack
  /** The last reading of the clocks, and how long after it the next event was due; null before the first. */
  readonly seen: { readonly clocks: HostClocks; readonly dueMs: number } | null
}

/** What the last probe changed, for the table, the metrics and the events. */
export interface Observation {
  readonly town: string
  readonly result: ProbeResult
  readonly elapsedMs: number
  readonly before: PeerRecord | null
  readonly record: PeerRecord | null
}

export type Effect =
  | { readonly _tag: 'Begin' }
  | { readonly _tag: 'ReadClocks' }
  | { readonly _tag: 'Converge'; readonly pause: HostPause; readonly record: PeerRecord | null }
  | { readonly _tag: 'Probe'; readonly roundTripsMs: ReadonlyArray<number> }
  | { readonly _tag: 'Observe'; readonly observation: Observation }

export interface PeerWatcherPorts {
  readonly clocks: () => HostClocks
  /** Called at the start of each incarnation: the misses of an earlier one no longer count. */
  readonly began: (town: string) => void
  /** Probes the town once. Never rejects; the signal ends it. */
  readonly probe: (
    town: string,
    roundTripsMs: ReadonlyArray<number>,
    signal: AbortSignal,
  ) => Promise<{ readonly result: ProbeResult; readonly timeoutMs: number }>
  /** Converges after a pause of this host; ends within a bound of its own. `record` is the town's from now. */
  readonly paused: (town: string, pause: HostPause, record: PeerRecord | null) => Promise<void>
  readonly observed: (observation: Observation) => void
}

export interface PeerWatcherSetup {
  readonly town: string
  readonly intervalMs: number
}

type Turn = Step<State, Effect, PeerWatcherMessage>

/** The first probes of a host are spread over this time. */
const spreadMs = 1_000
/** A time-out that comes later than this says more of this host than of the town. */
const lateMsMost = 1_000

export const peerWatcherName = (town: string): string => `peer-watcher ${town}`

/** The next steps after a pause: suspicion waits for fresh probes, and a converge comes first. */
const onPause = (state: State, clocks: HostClocks, pause: HostPause): Turn => {
  const track = unsettleTrack(state.track)
  return [{ track, seen: { clocks, dueMs: 0 } }, [{ _tag: 'Converge', pause, record: track.record }]]
}

const probeNow = (state: State, clocks: HostClocks): Turn => [
  { ...state, seen: { clocks, dueMs: 0 } },
  [{ _tag: 'Probe', roundTripsMs: state.track.roundTripsMs }],
]

const onClocksRead = ({ intervalMs }: PeerWatcherSetup, state: State, clocks: HostClocks): Turn => {
  const { seen } = state
  const pause = seen === null ? null : findPause(seen.clocks, clocks, seen.dueMs, intervalMs)
  return pause === null ? probeNow(state, clocks) : onPause(state, clocks, pause)
}

/** A time-out that fired late is no probe: the answer may have come while this host did not run. */
const judgeResult = ({ result, timeoutMs }: Probed, elapsedMs: number): ProbeResult =>
  result._tag === 'Failed' && result.why === 'timeout' && elapsedMs > timeoutMs + lateMsMost
    ? { _tag: 'NotSent' }
    : result

const onProbed = ({ town, intervalMs }: PeerWatcherSetup, state: State, message: Probed): Turn => {
  const { before, after: now, timeoutMs } = message
  const elapsedMs = now.monotonicMs - before.monotonicMs
  const pause = findPause(before, now, timeoutMs, intervalMs)
  const result: ProbeResult = pause === null ? judgeResult(message, elapsedMs) : { _tag: 'NotSent' }
  const track = trackProbe(state.track, { result, atMs: now.wallMs, elapsedMs })
  const observe: Effect = {
    _tag: 'Observe',
    observation: { town, result, elapsedMs, before: state.track.record, record: track.record },
  }
  if (pause !== null) {
    const [next, effects] = onPause({ ...state, track }, now, pause)
    return [next, [observe, ...effects]]
  }
  const dueMs = Math.max(0, intervalMs - elapsedMs)
  return [{ track, seen: { clocks: now, dueMs } }, [observe, after('due', dueMs, { _tag: 'Due' })]]
}

const perform =
  (town: string) =>
  (ports: PeerWatcherPorts): Perform<Effect, PeerWatcherMessage> =>
  async (effect, signal) => {
    if (signal.aborted) return []
    switch (effect._tag) {
      case 'Begin':
        ports.began(town)
        return []
      case 'ReadClocks':
        return [{ _tag: 'ClocksRead', clocks: ports.clocks() }]
      case 'Converge':
        await ports.paused(town, effect.pause, effect.record)
        return [{ _tag: 'Converged', clocks: ports.clocks() }]
      case 'Probe': {
        const before = ports.clocks()
        const { result, timeoutMs } = await ports.probe(town, effect.roundTripsMs, signal)
        return [{ _tag: 'Probed', result, timeoutMs, before, after: ports.clocks() }]
      }
      case 'Observe':
        ports.observed(effect.observation)
        return []
      default:
        return absurd(effect)
    }
  }

export const peerWatcher = (
  setup: PeerWatcherSetup,
): Actor<State, PeerWatcherMessage, Effect, PeerWatcherPorts> => ({
  name: peerWatcherName(setup.town),
  codec: PeerWatcherMessage,
  mailboxMax: 16,
  initial: ({ chance }) => [
    { track: startTrack(setup.town), seen: null },
    [ready, { _tag: 'Begin' }, after('due', chance * Math.min(spreadMs, setup.intervalMs), { _tag: 'Due' })],
  ],
  receive: (state, message) => {
    switch (message._tag) {
      case 'Due':
        return [state, [{ _tag: 'ReadClocks' }]]
      case 'ClocksRead':
        return onClocksRead(setup, state, message.clocks)
      case 'Converged':
        return probeNow(state, message.clocks)
      case 'Probed':
        return onProbed(setup, state, message)
      default:
        return absurd(message)
    }
  },
  perform: perform(setup.town),
})
