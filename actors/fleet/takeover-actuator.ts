import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { TakeoverJob } from '#protocol/fleet/takeover.js'
import type { TopologyFence } from '#src/domain/fleet/role.js'
import { advanceTakeover, beginOwedClosing, beginTakeover } from '#src/domain/fleet/takeover.js'
import {
  actionOf,
  type CooldownWord,
  type TakeoverAction,
  type TakeoverEnd,
  type TakeoverOutcome,
  type TakeoverRun,
  type TakeoverStep,
  type TownProbe,
} from '#src/domain/fleet/takeover-run.js'
import { type Actor, after, type Moment, ready, type Step, stay } from '#src/kernel/actor/actor.js'
import type { ForgePort } from '#src/ports/fleet.js'
import type { RemoteFailure, TakeoverGit } from '#src/ports/git.js'

const iid = t.union([t.number, t.null])

/** What is to be done next: a job, the closing of a failed job's request, or nothing. */
export const TakeoverWork = t.union([
  t.type({ _tag: t.literal('Job'), job: TakeoverJob, isResumed: t.boolean, iid }),
  t.type({ _tag: t.literal('Closing'), job: TakeoverJob, iid, reason: t.string }),
  t.type({ _tag: t.literal('Nothing') }),
])
export type TakeoverWork = t.TypeOf<typeof TakeoverWork>

/** Looks for a queued job now. */
const Wake = t.type({ _tag: t.literal('Wake') })
/** To self: what is to be done. */
const Found = t.type({ _tag: t.literal('Found'), work: TakeoverWork })
/** To self: the wait before an action is over. */
const Due = t.type({ _tag: t.literal('Due') })

const outcomeTags: Readonly<Record<TakeoverOutcome['_tag'], true>> = {
  Fetched: true,
  FetchFailed: true,
  Probed: true,
  Pushed: true,
  Beaten: true,
  PushUnknown: true,
  PushFailed: true,
  Answered: true,
  Converged: true,
}

const isOutcome = (u: unknown): u is TakeoverOutcome =>
  typeof u === 'object' &&
  u !== null &&
  '_tag' in u &&
  typeof u._tag === 'string' &&
  Object.hasOwn(outcomeTags, u._tag)

/** Passed by reference: it comes from the effect that this actor began. */
const Outcome = new t.Type<TakeoverOutcome, TakeoverOutcome, unknown>(
  'TakeoverOutcome',
  isOutcome,
  (u, context) => (isOutcome(u) ? t.success(u) : t.failure(u, context)),
  t.identity,
)

/** To self: an action of this job has ended. */
const Acted = t.type({ _tag: t.literal('Acted'), jobId: t.string, outcome: Outcome })

export const TakeoverActuatorMessage = t.union([Wake, Found, Due, Acted], 'TakeoverActuatorMessage')
export type TakeoverActuatorMessage = t.TypeOf<typeof TakeoverActuatorMessage>

/**
 * The takeover actuator carries out the takeover jobs of this host, one at a time, one action after another. The
 * jobs are in `runtime.db`; an incarnation that starts begins the active ones again, and every action first meets
 * what an earlier one did. It also closes the requests that failed jobs left open.
 */
export type State =
  | { readonly _tag: 'Idle' }
  /** `isOwed`: the job has failed already, and only its request is closed. */
  | { readonly _tag: 'Working'; readonly run: TakeoverRun; readonly isOwed: boolean }

export interface TakeoverActuatorPorts {
  /** The oldest active job, which it marks as running; else a closing that is owed. */
  readonly find: () => TakeoverWork
  readonly act: (
    action: TakeoverAction,
    signal: AbortSignal,
  ) => Promise<Extract<TakeoverActuatorMessage, { _tag: 'Acted' }>['outcome']>
  /** Records the request of a job that goes on. */
  readonly note: (jobId: string, iid: number, url: string) => void
  /** Records and reports the end of a job; false where the disk refuses, so that the job stays active. */
  readonly end: (run: TakeoverRun, end: TakeoverEnd) => boolean
  /** Records that the request of a failed job is closed. */
  readonly settle: (jobId: string) => void
  /** Asks the forge about the takeover that the cooldown began with. */
  readonly refresh: (signal: AbortSignal) => Promise<void>
}

/** `self`: the town of this host. */
export const takeoverActuator = (self: string): Actor<State, Message, Effect, TakeoverActuatorPorts> => ({
  name: 'takeover-actuator',
  codec: TakeoverActuatorMessage,
  mailboxMax: 64,
  stuckMs,
  initial: () => [{ _tag: 'Idle' }, [ready, { _tag: 'Find' }]],
  receive: receive(self),
  perform,
})

/** What the actions of a takeover are carried out with. */
export interface ActionPorts {
  readonly git: Pick<TakeoverGit, 'fetch' | 'push'>
  readonly forge: ForgePort
  /** The towns that are eligible and seen alive, by this host's records. */
  readonly candidates: () => ReadonlyArray<string>
  /** What the forge says of the cooldown that this version of the topology began. */
  readonly askCooldown: (fence: TopologyFence, signal: AbortSignal) => Promise<CooldownWord>
  readonly probeTown: (town: string, signal: AbortSignal) => Promise<TownProbe>
  /** Converges now. A failure is left to the next converge. */
  readonly converge: (signal: AbortSignal) => Promise<void>
}

/** Carries out one action of a takeover. Never rejects unless a port does. */
export const performAction = async (
  ports: ActionPorts,
  action: TakeoverAction,
  signal: AbortSignal,
): Promise<TakeoverOutcome> => {
  switch (action._tag) {
    case 'Fetch':
      return fetchFleet(ports, action.claimBranch, signal)
    case 'ProbeTown':
      return { _tag: 'Probed', result: await ports.probeTown(action.town, signal) }
    case 'PushClaim':
      return pushClaim(ports, action, signal)
    case 'CallForge': {
      const { outcome } = await ports.forge(action.call, callLimitMs, signal)
      return { _tag: 'Answered', outcome }
    }
    case 'Converge':
      await ports.converge(signal)
      return { _tag: 'Converged' }
  }
}

type Effect =
  | { readonly _tag: 'Find' }
  | { readonly _tag: 'Act'; readonly jobId: string; readonly action: TakeoverAction }
  | { readonly _tag: 'Note'; readonly jobId: string; readonly iid: number; readonly url: string }
  | { readonly _tag: 'End'; readonly run: TakeoverRun; readonly end: TakeoverEnd }
  | { readonly _tag: 'Settle'; readonly jobId: string }
  | { readonly _tag: 'Refresh' }

type Message = TakeoverActuatorMessage
type Taken = Step<State, Effect, Message>
type Effects = Taken[1]

/** The next look for closings that are owed, and at the clock of the forge. */
const restMs = 60_000
/** The longest action: a fetch whose remote is asked for its branch first, or a converge. */
const stuckMs = 600_000

const rest: Effects = [{ _tag: 'Refresh' }, after<Message>('wake', restMs, { _tag: 'Wake' })]

/** The request of a run, where this step is the first to know it. */
const noteOf = (before: TakeoverRun | null, { job, iid, phase }: TakeoverRun): Effects => {
  if (iid === null || iid === before?.iid || phase._tag !== 'Merging') return []
  const url = phase.merge.request?.url ?? ''
  return [{ _tag: 'Note', jobId: job.id, iid, url }]
}

const takeStep = (before: TakeoverRun, step: TakeoverStep, isOwed: boolean): Taken => {
  if (step._tag === 'Do') {
    const { run, afterMs } = step
    const notes = isOwed ? [] : noteOf(before, run)
    return [{ _tag: 'Working', run, isOwed }, [...notes, after('due', afterMs, { _tag: 'Due' })]]
  }
  const { end } = step
  if (!isOwed) return [{ _tag: 'Idle' }, [{ _tag: 'End', run: before, end }]]
  const isSettled = end._tag === 'Done' || !end.owesClosing
  return [
    { _tag: 'Idle' },
    [...(isSettled ? [{ _tag: 'Settle', jobId: before.job.id } as const] : []), ...rest],
  ]
}

const onFound = (self: string, state: State, work: TakeoverWork, moment: Moment): Taken => {
  if (state._tag === 'Working') return stay(state)
  if (work._tag === 'Nothing') return [state, rest]
  const { job, iid } = work
  const step =
    work._tag === 'Job'
      ? beginTakeover(job, self, work.isResumed ? { iid } : null, moment)
      : beginOwedClosing(job, self, iid, work.reason, moment)
  if (step._tag === 'Do') return takeStep(step.run, step, work._tag === 'Closing')
  return [state, rest]
}

const receive =
  (self: string) =>
  (state: State, message: Message, moment: Moment): Taken => {
    switch (message._tag) {
      case 'Wake':
        return [state, state._tag === 'Idle' ? [{ _tag: 'Find' }] : []]
      case 'Found':
        return onFound(self, state, message.work, moment)
      case 'Due':
        return state._tag === 'Idle'
          ? stay(state)
          : [state, [{ _tag: 'Act', jobId: state.run.job.id, action: actionOf(state.run) }]]
      case 'Acted': {
        if (state._tag === 'Idle' || state.run.job.id !== message.jobId) return stay(state)
        const step = advanceTakeover(state.run, message.outcome, moment)
        return takeStep(state.run, step, state.isOwed)
      }
      default:
        return absurd(message)
    }
  }

const perform =
  (ports: TakeoverActuatorPorts) =>
  async (effect: Effect, signal: AbortSignal): Promise<ReadonlyArray<Message>> => {
    switch (effect._tag) {
      case 'Find':
        return [{ _tag: 'Found', work: ports.find() }]
      case 'Act':
        return [{ _tag: 'Acted', jobId: effect.jobId, outcome: await ports.act(effect.action, signal) }]
      case 'Note':
        ports.note(effect.jobId, effect.iid, effect.url)
        return []
      case 'End': {
        // A job whose end is not on record begins again, but not at once.
        const isRecorded = ports.end(effect.run, effect.end)
        return [{ _tag: 'Found', work: isRecorded ? ports.find() : { _tag: 'Nothing' } }]
      }
      case 'Settle':
        ports.settle(effect.jobId)
        return []
      case 'Refresh':
        await ports.refresh(signal)
        return []
      default:
        return absurd(effect)
    }
  }

const callLimitMs = 20_000

/** Whether a repetition cannot help within the time of a job. */
const isFinal = ({ action }: RemoteFailure): boolean =>
  action === 'auth_failed' || action === 'transport_refused'

const fetchFleet = async (
  { git, candidates, askCooldown }: ActionPorts,
  claimBranch: string,
  signal: AbortSignal,
): Promise<TakeoverOutcome> => {
  const fetched = await git.fetch(claimBranch, signal)
  if (fetched._tag === 'Failed')
    return { _tag: 'FetchFailed', detail: fetched.detail, isFinal: isFinal(fetched) }
  const { branch, tip, topology, claim } = fetched
  const cooldown = topology === null ? 'unknown' : await askCooldown(topology.fence, signal)
  return { _tag: 'Fetched', found: { branch, tip, topology, claim, candidates: candidates(), cooldown } }
}

const pushClaim = async (
  { git }: ActionPorts,
  { claim }: Extract<TakeoverAction, { _tag: 'PushClaim' }>,
  signal: AbortSignal,
): Promise<TakeoverOutcome> => {
  const made = await git.push(claim, signal)
  if ('_tag' in made) return { _tag: 'PushFailed', detail: made.detail, isFinal: false }
  const { commit, pushed } = made
  switch (pushed._tag) {
    case 'Pushed':
      return { _tag: 'Pushed', commit }
    case 'Behind':
      return { _tag: 'Beaten' }
    case 'Unknown':
      return { _tag: 'PushUnknown', detail: pushed.detail }
    case 'Failed': {
      const isRefused = pushed.action === 'push_rejected' || isFinal(pushed)
      return { _tag: 'PushFailed', detail: pushed.detail, isFinal: isRefused }
    }
  }
}
