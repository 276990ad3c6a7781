import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { CommitId } from '#protocol/atoms.js'
import { type Actor, after, type Moment, ready, reply, type Step, stay } from '#src/kernel/actor/actor.js'
import { type ReplyTo, replyTo } from '#src/kernel/actor/ref.js'
import type { Cell } from '#src/snapshot/cell.js'
import { type Loaded, type LoadPorts, load } from './load.js'

/** The result of a look at the heads: the current generation after it, or why it failed. */
export const LookOutcome = t.union([
  t.type({ _tag: t.literal('Current'), generation: t.number, commit: t.union([CommitId, t.null]) }),
  /** `headId` names the tree that failed to load; null where HEAD itself could not be read. */
  t.type({ _tag: t.literal('LookFailed'), reason: t.string, headId: t.union([t.string, t.null]) }),
])
export type LookOutcome = t.TypeOf<typeof LookOutcome>

/** Looks now; answered by a look that begins after this message arrives. */
const Refresh = t.type({ _tag: t.literal('Refresh'), replyTo: replyTo<LookOutcome>() })
type Refresh = t.TypeOf<typeof Refresh>

/** To self: it is time for the next look. */
const Tick = t.type({ _tag: t.literal('Tick') })
/** To self: the running look has ended. */
const Looked = t.type({ _tag: t.literal('Looked'), outcome: LookOutcome })

/** To self: it is time to look at the checkout. */
const Watch = t.type({ _tag: t.literal('Watch') })
/** To self: the look at the checkout has ended, after `tookMs`. */
const Watched = t.type({ _tag: t.literal('Watched'), tookMs: t.number })

export const CorpusKeeperMessage = t.union([Refresh, Tick, Looked, Watch, Watched], 'CorpusKeeperMessage')
export type CorpusKeeperMessage = t.TypeOf<typeof CorpusKeeperMessage>

/**
 * `askers` wait for the running look; a later asker waits for the next one. `failed` is null where the last
 * tree loaded.
 */
export type State = { readonly failed: FailedTree | null } & (
  | { readonly _tag: 'Idle' }
  | { readonly _tag: 'Looking'; readonly askers: ReadonlyArray<Asker> }
  | {
      readonly _tag: 'LookingTwice'
      readonly askers: ReadonlyArray<Asker>
      readonly later: ReadonlyArray<Asker>
    }
)

export interface KeeperPorts {
  readonly load: LoadPorts
  readonly cell: Cell<Loaded>
  /** Called after every look, for the log. */
  readonly looked: (outcome: LookOutcome) => void
  /**
   * Checks what blocks writes and stores it in memory; resolves to how long that took, in ms. Never rejects.
   */
  readonly watch: () => Promise<number>
}

export interface KeeperOptions {
  /** Time between two looks at HEAD; 0: only on request and at midnight (D14). */
  readonly intervalMs: number
  readonly untilNextDayMs: (nowMs: number) => number
}

export const corpusKeeper = (setup: KeeperOptions): Actor<State, Message, Effect, KeeperPorts> => ({
  name: 'corpus-keeper',
  codec: CorpusKeeperMessage,
  mailboxMax: 256,
  stuckMs: 120_000,
  initial: () => [
    { _tag: 'Looking', failed: null, askers: [] },
    // The first watch comes after a delay: it may read every file, which would slow down the load.
    [ready, { _tag: 'Look', known: null }, after('watch', nextWatchMs(setup, 0), { _tag: 'Watch' })],
  ],
  receive: (state, message, moment) => {
    switch (message._tag) {
      case 'Refresh':
        return onRefresh(state, message.replyTo, moment)
      case 'Tick':
        return onTick(state, moment)
      case 'Looked':
        return onLooked(setup, state, message.outcome, moment)
      case 'Watch':
        return [state, [{ _tag: 'Watch' }]]
      case 'Watched':
        return [state, [after('watch', nextWatchMs(setup, message.tookMs), { _tag: 'Watch' })]]
      default:
        return absurd(message)
    }
  },
  perform,
})

/**
 * The corpus keeper owns the cell with the current snapshot and alone fills it: at its start, at every
 * interval, at midnight and on `Refresh`. It recovers from the committed trees and does not read the work
 * tree; between its looks it has the checkout watched for what blocks writes.
 */

type Asker = ReplyTo<LookOutcome>
type Message = CorpusKeeperMessage

/** A tree that failed to load. Looks report the same reason until it is tried again. */
interface FailedTree {
  readonly headId: string
  readonly reason: string
  readonly tries: number
  readonly retryAtMs: number
}

/** `known` is a failed tree that is not due to be tried again. */
type Effect = { readonly _tag: 'Look'; readonly known: FailedTree | null } | { readonly _tag: 'Watch' }

type Look = Extract<Effect, { readonly _tag: 'Look' }>

const retryMs = 1000
/**
 * The longest wait before a broken tree is read again: half a million rows take a second of processor time.
 */
const retryMaxMs = 60_000

/** Time between two looks at the checkout where HEAD is only looked at on request. */
const watchMs = 5000
/** A look at a checkout with many files is slow: looks take at most a fiftieth of the time. */
const watchShare = 50

const nextWatchMs = (setup: KeeperOptions, tookMs: number): number =>
  Math.max(setup.intervalMs === 0 ? watchMs : setup.intervalMs, watchShare * tookMs)

const look = (failed: FailedTree | null, monotonicMs: number): Look => ({
  _tag: 'Look',
  known: failed !== null && monotonicMs < failed.retryAtMs ? failed : null,
})

/** The failed tree after a look, if any: each failure doubles the wait, and any other outcome clears it. */
const failureAfter = (
  before: FailedTree | null,
  outcome: LookOutcome,
  monotonicMs: number,
): FailedTree | null => {
  if (outcome._tag === 'Current') return null
  const { headId, reason } = outcome
  if (headId === null) return before
  const isKnown = before?.headId === headId
  if (isKnown && monotonicMs < before.retryAtMs) return before
  const tries = isKnown ? before.tries + 1 : 1
  return { headId, reason, tries, retryAtMs: monotonicMs + Math.min(retryMaxMs, retryMs * 2 ** (tries - 1)) }
}

const nextLookMs = (setup: KeeperOptions, outcome: LookOutcome, nowMs: number): number => {
  if (outcome._tag === 'LookFailed') return retryMs
  const dayMs = setup.untilNextDayMs(nowMs)
  return setup.intervalMs === 0 ? dayMs : Math.min(setup.intervalMs, dayMs)
}

const onRefresh = (state: State, asker: Asker, { monotonicMs }: Moment): Step<State, Effect, Message> => {
  const { failed } = state
  switch (state._tag) {
    case 'Idle':
      return [{ _tag: 'Looking', failed, askers: [asker] }, [look(failed, monotonicMs)]]
    case 'Looking':
      return stay({ _tag: 'LookingTwice', failed, askers: state.askers, later: [asker] })
    case 'LookingTwice':
      return stay({ ...state, later: [...state.later, asker] })
    default:
      return absurd(state)
  }
}

const onTick = (state: State, { monotonicMs }: Moment): Step<State, Effect, Message> =>
  state._tag === 'Idle'
    ? [{ _tag: 'Looking', failed: state.failed, askers: [] }, [look(state.failed, monotonicMs)]]
    : stay(state)

const onLooked = (
  setup: KeeperOptions,
  state: State,
  outcome: LookOutcome,
  { nowMs, monotonicMs }: Moment,
): Step<State, Effect, Message> => {
  if (state._tag === 'Idle') return stay(state)
  const answers = state.askers.map(asker => reply(asker, outcome))
  const failed = failureAfter(state.failed, outcome, monotonicMs)
  if (state._tag === 'LookingTwice')
    return [{ _tag: 'Looking', failed, askers: state.later }, [...answers, look(failed, monotonicMs)]]
  return [
    { _tag: 'Idle', failed },
    [...answers, after('tick', nextLookMs(setup, outcome, nowMs), { _tag: 'Tick' })],
  ]
}

const lookNow = async (ports: KeeperPorts, { known }: Look, signal: AbortSignal): Promise<LookOutcome> => {
  const before = ports.cell.get()
  const publish = (loaded: Loaded): void => {
    if (!signal.aborted) ports.cell.set(loaded)
  }
  let tree: string | null = null
  try {
    const next = await load(ports.load, before, {
      onIdentity: publish,
      failureOf: headId => {
        tree = headId
        return known?.headId === headId ? known.reason : null
      },
    })
    if (next !== null) publish(next)
    const { generation, commit } = (next ?? before)?.build.snapshot ?? { generation: 0, commit: null }
    return { _tag: 'Current', generation, commit }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { _tag: 'LookFailed', reason, headId: tree }
  }
}

const perform =
  (ports: KeeperPorts) =>
  async (effect: Effect, signal: AbortSignal): Promise<ReadonlyArray<Message>> => {
    if (effect._tag === 'Watch') return [{ _tag: 'Watched', tookMs: await ports.watch() }]
    const outcome = await lookNow(ports, effect, signal)
    if (!signal.aborted) ports.looked(outcome)
    return [{ _tag: 'Looked', outcome }]
  }
