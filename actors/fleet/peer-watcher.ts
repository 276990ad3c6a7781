import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { findPause, type HostClocks, type HostPause } from '#src/domain/fleet/fleet-state.js'
import {
  type AnsweredProbe,
  countsAfterMs,
  judgeAnswer,
  lateMs,
  type PeerRecord,
  type PeerTrack,
  type ProbeResult,
  startTrack,
  trackLateAnswer,
  trackProbe,
  unsettleTrack,
} from '#src/domain/fleet/peers.js'
import { type Actor, after, beside, type Perform, ready, type Step, stay } from '#src/kernel/actor/actor.js'

/** To self: a probe is due. */
const Due = t.type({ _tag: t.literal('Due') })

const Clocks = t.readonly(
  t.type({ monotonicMs: t.number, wallMs: t.number, uptimeMs: t.number, pauses: t.number }),
)

/** To self: the clocks of the host at a due probe. */
const ClocksRead = t.type({ _tag: t.literal('ClocksRead'), clocks: Clocks })
/** From a converge after a pause of this host: it has ended, well or not. */
const Converged = t.type({ _tag: t.literal('Converged'), flight: t.string, clocks: Clocks })

const resultTags: ReadonlySet<unknown> = new Set<ProbeResult['_tag']>(['Answered', 'Failed', 'NotSent'])

const isProbeResult = (u: unknown): u is ProbeResult =>
  typeof u === 'object' && u !== null && '_tag' in u && resultTags.has(u._tag)

/** Nominal codec: the result comes from the node's own probe. */
const Result = new t.Type<ProbeResult, ProbeResult, unknown>(
  'ProbeResult',
  isProbeResult,
  (u, context) => (isProbeResult(u) ? t.success(u) : t.failure(u, context)),
  t.identity,
)

/** From a probe: it has ended. */
const Probed = t.type({
  _tag: t.literal('Probed'),
  flight: t.string,
  result: Result,
  roundTripMs: t.number,
  before: Clocks,
  after: Clocks,
})
type Probed = t.TypeOf<typeof Probed>

const Answered = t.refinement(
  Result,
  (result): result is AnsweredProbe => result._tag === 'Answered',
  'AnsweredProbe',
)

/** From a probe that had failed: the town has answered after all. */
const AnsweredLate = t.type({
  _tag: t.literal('AnsweredLate'),
  result: Answered,
  roundTripMs: t.number,
  before: Clocks,
  after: Clocks,
})
type AnsweredLate = t.TypeOf<typeof AnsweredLate>

export const PeerWatcherMessage = t.union(
  [Due, ClocksRead, Converged, Probed, AnsweredLate],
  'PeerWatcherMessage',
)
export type PeerWatcherMessage = t.TypeOf<typeof PeerWatcherMessage>

/** What a probe changed, for the table, the metrics and the events. */
export interface PeerObservation {
  readonly town: string
  readonly result: ProbeResult
  /** The probe had counted as missed before it was answered. */
  readonly isLate: boolean
  readonly elapsedMs: number
  readonly before: PeerRecord | null
  readonly record: PeerRecord | null
}

export interface PeerWatcherPorts {
  readonly clocks: () => HostClocks
  /** Called at the start of each incarnation: the misses of an earlier one no longer count. */
  readonly began: (town: string) => void
  /**
   * Probes the town, and fails after `countsAfterMs` of silence; `onLate` hears the answer that comes up to `lateMs`
   * after that. Never rejects; the signal ends both.
   */
  readonly probe: (
    town: string,
    onLate: (answer: TimedResult<AnsweredProbe>) => void,
    signal: AbortSignal,
  ) => Promise<TimedResult>
  /** Converges after a pause of this host. Never rejects, and ends within a bound of its own. */
  readonly paused: (pause: HostPause) => Promise<void>
  readonly observed: (observation: PeerObservation) => void
}

export const peerWatcher = (
  watched: WatchedTown,
): Actor<State, PeerWatcherMessage, Effect, PeerWatcherPorts> => ({
  name: peerWatcherName(watched.town),
  codec: PeerWatcherMessage,
  mailboxMax: 16,
  initial: ({ chance }) => [
    { track: startTrack(watched.town), flight: null, seen: null },
    [
      ready,
      { _tag: 'Begin' },
      after('due', chance * Math.min(spreadMs, watched.intervalMs), { _tag: 'Due' }),
    ],
  ],
  receive: (state, message, { id }) => {
    switch (message._tag) {
      case 'Due':
        return [state, [{ _tag: 'ReadClocks' }]]
      case 'ClocksRead':
        return onClocksRead(watched, state, message.clocks, id)
      case 'Converged':
        return message.flight === state.flight ? probeNow(state, message.clocks, id) : stay(state)
      case 'Probed':
        return message.flight === state.flight ? onProbed(watched, state, message, id) : stay(state)
      case 'AnsweredLate':
        return onAnsweredLate(watched, state, message)
      default:
        return absurd(message)
    }
  },
  perform: perform(watched.town),
})

/**
 * A peer watcher probes one other town at a fixed interval and owns what this host knows of it. Each probe counts
 * within its time-out, and the next one begins an interval after it began, so one probe at a time asks the town. The
 * answer to one that has counted as missed may come later, also while the next one is under way. Where this host was
 * paused, a converge comes before the next probe. After a restart of the watcher the misses are 0; nothing is on disk.
 *
 * A probe and a converge run beside the other effects, and their end is a message with its flight: one that the others
 * waited for would hold back what a late answer changes, and the drain.
 */

interface State {
  readonly track: PeerTrack
  /** The probe or converge under way; its id distinguishes its end from that of an earlier one. */
  readonly flight: string | null
  /** The last reading of the clocks, and how long after it the next event was due; null before the first. */
  readonly seen: { readonly clocks: HostClocks; readonly dueMs: number } | null
}

type Effect =
  | { readonly _tag: 'Begin' }
  | { readonly _tag: 'ReadClocks' }
  | { readonly _tag: 'Converge'; readonly flight: string; readonly pause: HostPause }
  | { readonly _tag: 'Probe'; readonly flight: string }
  | { readonly _tag: 'Observe'; readonly observation: PeerObservation }

interface TimedResult<R extends ProbeResult = ProbeResult> {
  readonly result: R
  readonly roundTripMs: number
}

interface WatchedTown {
  readonly town: string
  readonly intervalMs: number
}

type Turn = Step<State, Effect, PeerWatcherMessage>

/** The first probes of a host are spread over this time. */
const spreadMs = 1_000
/** A time-out that fires later than this says more of this host than of the town. */
const overdueMsMost = 1_000

const peerWatcherName = (town: string): string => `peer-watcher ${town}`

/** The next step after a pause: suspicion waits for fresh probes, and a converge comes first. */
const onPause = (state: State, clocks: HostClocks, pause: HostPause, flight: string): Turn => [
  { track: unsettleTrack(state.track), flight, seen: { clocks, dueMs: 0 } },
  [beside({ _tag: 'Converge', flight, pause })],
]

const probeNow = (state: State, clocks: HostClocks, flight: string): Turn => [
  { ...state, flight, seen: { clocks, dueMs: 0 } },
  [beside({ _tag: 'Probe', flight })],
]

/** The track, where another watcher found a pause of this host between the readings. */
const unsettleSince = (track: PeerTrack, before: HostClocks, now: HostClocks): PeerTrack =>
  now.pauses > before.pauses ? unsettleTrack(track) : track

const onClocksRead = (
  { intervalMs }: WatchedTown,
  state: State,
  clocks: HostClocks,
  flight: string,
): Turn => {
  const { seen } = state
  const pause = seen === null ? null : findPause(seen.clocks, clocks, seen.dueMs, intervalMs)
  if (pause !== null) return onPause(state, clocks, pause, flight)
  const track = seen === null ? state.track : unsettleSince(state.track, seen.clocks, clocks)
  return probeNow({ ...state, track }, clocks, flight)
}

/** A time-out that fired late is no probe: the answer may have come while this host did not run. */
const judgeResult = (result: ProbeResult, elapsedMs: number, timeoutMs: number): ProbeResult =>
  result._tag === 'Failed' && result.why === 'timeout' && elapsedMs > timeoutMs + overdueMsMost
    ? { _tag: 'NotSent' }
    : result

const onProbed = (
  { town, intervalMs }: WatchedTown,
  state: State,
  message: Probed,
  nextFlight: string,
): Turn => {
  const { before, after: now } = message
  const timeoutMs = countsAfterMs(intervalMs)
  const elapsedMs = now.monotonicMs - before.monotonicMs
  const pause = findPause(before, now, timeoutMs, intervalMs)
  const answer = judgeAnswer(state.track.record, message.result, now.monotonicMs)
  const result: ProbeResult = pause === null ? judgeResult(answer, elapsedMs, timeoutMs) : { _tag: 'NotSent' }
  const tookMs = result._tag === 'Answered' ? message.roundTripMs : elapsedMs
  const unsettled = unsettleSince(state.track, before, now)
  const ended = { atMs: now.wallMs, monotonicMs: now.monotonicMs }
  const track = trackProbe(unsettled, { ...ended, result, elapsedMs: tookMs })
  const observe: Effect = {
    _tag: 'Observe',
    observation: { town, result, isLate: false, elapsedMs, before: state.track.record, record: track.record },
  }
  if (pause !== null) {
    const [next, effects] = onPause({ ...state, track }, now, pause, nextFlight)
    return [next, [observe, ...effects]]
  }
  const dueMs = Math.max(0, intervalMs - elapsedMs)
  return [
    { track, flight: null, seen: { clocks: now, dueMs } },
    [observe, after('due', dueMs, { _tag: 'Due' })],
  ]
}

/** Takes the miss back, unless this host was paused since: the answer may then be older than the pause. */
const onAnsweredLate = (
  { town, intervalMs }: WatchedTown,
  state: State,
  { result, roundTripMs, before, after: now }: AnsweredLate,
): Turn => {
  const pause = findPause(before, now, countsAfterMs(intervalMs) + lateMs, intervalMs)
  const isFrozen = judgeAnswer(state.track.record, result, now.monotonicMs)._tag === 'Failed'
  if (pause !== null || isFrozen) return stay(state)
  const unsettled = unsettleSince(state.track, before, now)
  const ended = { atMs: now.wallMs, monotonicMs: now.monotonicMs, elapsedMs: roundTripMs }
  const track = trackLateAnswer(unsettled, { ...ended, result })
  if (track === unsettled) return stay(state)
  const elapsedMs = now.monotonicMs - before.monotonicMs
  const [{ record }, { record: earlier }] = [track, state.track]
  const observation = { town, result, isLate: true, elapsedMs, before: earlier, record }
  return [{ ...state, track }, [{ _tag: 'Observe', observation }]]
}

const perform =
  (town: string) =>
  (ports: PeerWatcherPorts): Perform<Effect, PeerWatcherMessage> =>
  async (effect, signal, tell) => {
    if (signal.aborted) return []
    switch (effect._tag) {
      case 'Begin':
        ports.began(town)
        return []
      case 'ReadClocks':
        return [{ _tag: 'ClocksRead', clocks: ports.clocks() }]
      case 'Converge':
        await ports.paused(effect.pause)
        return [{ _tag: 'Converged', flight: effect.flight, clocks: ports.clocks() }]
      case 'Probe': {
        const before = ports.clocks()
        const onLate = (answer: TimedResult<AnsweredProbe>): void =>
          tell({ _tag: 'AnsweredLate', ...answer, before, after: ports.clocks() })
        const ended = await ports.probe(town, onLate, signal)
        return [{ _tag: 'Probed', flight: effect.flight, ...ended, before, after: ports.clocks() }]
      }
      case 'Observe':
        ports.observed(effect.observation)
        return []
      default:
        return absurd(effect)
    }
  }
