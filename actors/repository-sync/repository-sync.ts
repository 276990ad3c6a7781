import { absurd } from 'fp-ts/lib/function.js'
import { isConverged } from '#protocol/host/sync.js'
import {
  type Actor,
  after,
  cancel,
  type Moment,
  ready,
  reply,
  type Step,
  stay,
} from '#src/kernel/actor/actor.js'
import { attempt } from './attempt.js'
import type { AttemptOptions, AttemptPorts } from './join-remote.js'
import { hasForge } from './publish.js'
import {
  addOutcome,
  atRest,
  type ConvergeRun,
  countMs,
  type EndedConverge,
  earlyAfterMs,
  earlyMs,
  endOf,
  hasWaiting,
  holdMsOf,
  RepositorySyncMessage,
  reportWaiting,
  runOf,
  type State,
  type SyncOptions,
  type SyncReport,
  scheduleAnnounced,
  type Trigger,
  unknown,
} from './state.js'

export type Effect =
  | { readonly _tag: 'Inspect' }
  | ({ readonly _tag: 'Attempt' } & Pick<AttemptOptions, 'holdMs' | 'limitMs' | 'accepts'>)
  | { readonly _tag: 'Count' }
  | { readonly _tag: 'Report'; readonly report: SyncReport }
  | { readonly _tag: 'Conclude'; readonly ended: EndedConverge; readonly elapsedMs: number }

export interface SyncPorts extends AttemptPorts {
  /** Stores what is known, for readers and for the gate. */
  readonly report: (report: SyncReport) => void
  /** Called after every converge: records the lint, publishes events, counts. Never throws. */
  readonly concluded: (ended: EndedConverge, signal: AbortSignal) => Promise<void>
  /** Called with the time that a converge took, however it ended. */
  readonly ticked: (elapsedMs: number) => void
}

/** The sync of one checkout; each checkout of a host has one, and `name` tells them apart. */
export const repositorySync = (
  setup: SyncOptions,
  name = 'repository-sync',
): Actor<State, Message, Effect, SyncPorts> => ({
  name,
  codec: RepositorySyncMessage,
  mailboxMax: 256,
  stuckMs: 600_000,
  initial: initial(setup),
  receive: receive(setup),
  perform: perform(setup),
})

/**
 * The repository sync brings this host and the remote together: fetch, merge, publish. It owns only the refs
 * of parked work; the write gate alone moves the branch. After a restart it knows nothing and looks again:
 * the fetch finds a push whose answer was lost (F5).
 */

type Message = RepositorySyncMessage
type Effects = Step<State, Effect, Message>[1]

const backoffMs = 50

/** `ms` give or take 20 %, so that hosts that started together do not contact the remote together. */
const about = (ms: number, { chance }: Moment): number => Math.round(ms * (0.8 + 0.4 * chance))

const start = (state: State, trigger: Trigger, { monotonicMs }: Moment): Step<State, Effect, Message> => [
  { ...state, run: runOf(trigger, monotonicMs, state), later: [], accepts: false, wrote: null },
  [cancel('early'), cancel('tick'), { _tag: 'Inspect' }],
]

const leftMsOf = (setup: SyncOptions, { beganMs }: ConvergeRun, { monotonicMs }: Moment): number =>
  Math.max(0, beganMs + setup.convergeMsMax - monotonicMs)

/** The next attempt of a run, which is already counted. */
const attemptOf = (setup: SyncOptions, run: ConvergeRun, moment: Moment): Effect => ({
  _tag: 'Attempt',
  holdMs: holdMsOf(run.attempt),
  limitMs: leftMsOf(setup, run, moment),
  accepts: run.accepts,
})

const nextTick = (setup: SyncOptions, moment: Moment): Effects =>
  setup.intervalMs === 0 ? [] : [after('tick', about(setup.intervalMs, moment), { _tag: 'Tick' })]

const wakeAfter = (setup: SyncOptions, state: State, moment: Moment): Effects => {
  const delayMs = setup.intervalMs === 0 ? null : earlyAfterMs(setup, state)
  return delayMs === null ? [] : [after<Message>('early', about(delayMs, moment), { _tag: 'Early' })]
}

/**
 * Continues with the askers that came meanwhile; otherwise waits for the next tick, or less long where
 * something is to be published.
 */
const rest = (setup: SyncOptions, state: State, moment: Moment): Step<State, Effect, Message> =>
  state.later.length > 0
    ? start(state, 'manual', moment)
    : [state, [...nextTick(setup, moment), ...wakeAfter(setup, state, moment)]]

const onInspected = (
  setup: SyncOptions,
  state: State,
  message: Extract<Message, { _tag: 'Inspected' }>,
  moment: Moment,
): Step<State, Effect, Message> => {
  const { run } = state
  const enabled = message.exists && setup.intervalMs > 0
  const { parked, rewrite, replaced, address } = message
  const unpublished = enabled ? message.unpublished : null
  const report = { ...state.report, enabled, remote: address, parked, rewrite, replaced, unpublished }
  if (run === null) return [{ ...state, report }, [{ _tag: 'Report', report }]]
  if (enabled) {
    const first = { ...run, attempt: 1 }
    return [{ ...state, report, run: first }, [{ _tag: 'Report', report }, attemptOf(setup, first, moment)]]
  }
  const [next, effects] = rest(setup, { ...state, report, run: null }, moment)
  return [
    next,
    [{ _tag: 'Report', report }, ...run.askers.map(asker => reply(asker, { _tag: 'Disabled' })), ...effects],
  ]
}

const conclude = (
  setup: SyncOptions,
  state: State,
  ended: EndedConverge,
  moment: Moment,
): Step<State, Effect, Message> => {
  const { nowMs, monotonicMs } = moment
  const ok = isConverged(ended.action)
  const head = ended.head ?? state.report.head
  const known: SyncReport = {
    ...state.report,
    lastOk: ok ? { nowMs, monotonicMs } : state.report.lastOk,
    lastAction: ended.action,
    lastDetail: ended.detail,
    head,
    request: ended.request === undefined ? state.report.request : ended.request,
  }
  const wrote = state.wrote === head ? null : state.wrote
  const report = reportWaiting(known, hasWaiting(setup, { report: known, wrote }))
  const failures = ok ? 0 : state.failures + 1
  const polls = head === state.report.head ? state.polls + 1 : 0
  const [next, effects] = rest(setup, { ...state, report, run: null, wrote, failures, polls }, moment)
  const answers = ended.run.askers.map(asker => reply(asker, { _tag: 'Converged', report }))
  const concluded: Effect = { _tag: 'Conclude', ended, elapsedMs: monotonicMs - ended.run.beganMs }
  return [next, [{ _tag: 'Report', report }, concluded, ...answers, ...effects]]
}

const onAttempted = (
  setup: SyncOptions,
  before: State,
  { outcome, parked, rewrite, replaced, unpublished }: Extract<Message, { _tag: 'AttemptEnded' }>,
  moment: Moment,
): Step<State, Effect, Message> => {
  if (before.run === null) return stay(before)
  const run = addOutcome(before.run, outcome)
  const state = { ...before, run, report: { ...before.report, parked, rewrite, replaced, unpublished } }
  const ended = endOf(run, outcome, setup.publishMode, leftMsOf(setup, run, moment))
  if (ended !== null) return conclude(setup, state, ended, moment)
  // Full jitter: of several hosts that lost a race at once, no two retry at once.
  const delayMs = Math.round(backoffMs * 2 ** run.attempt * moment.chance)
  return [
    { ...state, run: { ...run, attempt: run.attempt + 1 } },
    [after('retry', delayMs, { _tag: 'Retry' })],
  ]
}

/**
 * Commits count as waiting as soon as the branch here has moved, before they are counted. A branch that is
 * back at the commit of the last converge has nothing to publish; after a failed converge the next one finds
 * out whether the cause is gone.
 */
const onWrote = (
  setup: SyncOptions,
  state: State,
  { commit }: Extract<Message, { _tag: 'Wrote' }>,
  moment: Moment,
): Step<State, Effect, Message> => {
  const isNews = commit !== state.report.head
  const counts = state.report.enabled && !state.counting && isNews
  const wrote = { ...state, wrote: isNews ? commit : null, counting: state.counting || counts }
  const count: Effects = counts ? [after<Message>('count', countMs, { _tag: 'Count' })] : []
  if (state.run !== null || (!isNews && state.failures === 0)) return [wrote, count]
  const report = reportWaiting(state.report, hasWaiting(setup, wrote))
  const told: Effects = report === state.report ? [] : [{ _tag: 'Report', report }]
  const isFirst = !isNews || state.wrote === null
  const wakes = isFirst && setup.publishMode !== 'none' && setup.intervalMs > 0
  const wake: Effects = wakes ? [after<Message>('early', about(earlyMs, moment), { _tag: 'Early' })] : []
  return [{ ...wrote, report }, [...told, ...wake, ...count]]
}

/** A converge that runs may have fetched before the news; the announced one follows it. */
const onAnnounceDue = (state: State, moment: Moment): Step<State, Effect, Message> =>
  state.run === null
    ? start({ ...state, announced: { lastMs: moment.monotonicMs, isDue: false } }, 'announce', moment)
    : [state, [after('announce', countMs, { _tag: 'AnnounceDue' })]]

const receive =
  (setup: SyncOptions) =>
  (state: State, message: Message, moment: Moment): Step<State, Effect, Message> => {
    switch (message._tag) {
      case 'Sync':
      case 'Accept': {
        if (setup.intervalMs === 0) return [state, [reply(message.replyTo, { _tag: 'Disabled' })]]
        const accepts = state.accepts || message._tag === 'Accept'
        const asked = { ...state, accepts, later: [...state.later, message.replyTo] }
        return state.run === null ? start(asked, 'manual', moment) : stay(asked)
      }
      case 'Wrote':
        return onWrote(setup, state, message, moment)
      case 'Announced':
        return scheduleAnnounced(setup, state, moment)
      case 'AnnounceDue':
        return onAnnounceDue(state, moment)
      case 'Tick':
        return state.run === null ? start(state, 'timer', moment) : stay(state)
      case 'Early':
        return state.run === null ? start(state, 'write', moment) : stay(state)
      case 'Retry':
        return state.run === null ? stay(state) : [state, [attemptOf(setup, state.run, moment)]]
      case 'Inspected':
        return onInspected(setup, state, message, moment)
      case 'AttemptEnded':
        return onAttempted(setup, state, message, moment)
      case 'Count':
        return [{ ...state, counting: false }, [{ _tag: 'Count' }]]
      case 'Counted': {
        const known = { ...state.report, unpublished: message.unpublished }
        const waits = state.run === null && hasWaiting(setup, { report: known, wrote: state.wrote })
        const report = reportWaiting(known, waits)
        return [{ ...state, report }, [{ _tag: 'Report', report }]]
      }
      default:
        return absurd(message)
    }
  }

const initial =
  (setup: SyncOptions) =>
  (moment: Moment): Step<State, Effect, Message> => {
    const state: State = { ...atRest, report: unknown }
    if (setup.intervalMs === 0) return [state, [ready, { _tag: 'Inspect' }]]
    const [begun, effects] = start(state, 'timer', moment)
    return [begun, [ready, ...effects]]
  }

/** In mode mr the contents count: a squash publishes commits that the remote does not have. */
const countUnpublished = ({ publishMode }: SyncOptions, { remote, requests }: SyncPorts) =>
  publishMode === 'mr' && hasForge(requests) ? requests.git.unpublished() : remote.unpublished()

/** What the refs of this host say, whatever the outcome of the attempt. */
const readBacklog = async (setup: SyncOptions, ports: SyncPorts) => ({
  ...(await ports.remote.held()),
  unpublished: await countUnpublished(setup, ports),
})

const perform =
  (setup: SyncOptions) =>
  (ports: SyncPorts) =>
  async (effect: Effect, signal: AbortSignal): Promise<ReadonlyArray<Message>> => {
    switch (effect._tag) {
      case 'Inspect': {
        const facts = await ports.remote.facts()
        return [{ _tag: 'Inspected', ...facts, ...(await readBacklog(setup, ports)) }]
      }
      case 'Attempt': {
        const { publishMode } = setup
        const { holdMs, limitMs, accepts } = effect
        const outcome = await attempt(ports, { publishMode, holdMs, limitMs, accepts }, signal)
        return [{ _tag: 'AttemptEnded', outcome, ...(await readBacklog(setup, ports)) }]
      }
      case 'Count':
        return [{ _tag: 'Counted', unpublished: await countUnpublished(setup, ports) }]
      case 'Report':
        ports.report(effect.report)
        return []
      case 'Conclude':
        ports.ticked(effect.elapsedMs)
        await ports.concluded(effect.ended, signal)
        return []
      default:
        return absurd(effect)
    }
  }
