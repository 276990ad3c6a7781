import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { absurd } from 'fp-ts/lib/function.js'
import { refuse } from '#protocol/refusal.js'
import { gateRefusal } from '#src/domain/admin/gate-arms.js'
import { type Actor, type KernelEffect, ready, reply, type Step } from '#src/kernel/actor/actor.js'
import type { LandingFailure, Recovered } from '#src/ports/git/landing.js'
import { adopt } from './adopt.js'
import { advance } from './advance.js'
import { afterWrite, type WriteFact } from './after-write.js'
import { carry } from './carry.js'
import { hold } from './hold.js'
import {
  type Adopt,
  type Advance,
  type Hold,
  type Job,
  type Reindex,
  type SetMode,
  type Write,
  WriteGateMessage,
} from './messages.js'
import { closedByDisk, setMode } from './mode.js'
import type { GatePorts } from './ports.js'

/**
 * The write gate is the single writer of the lore. What it is asked is done in order of arrival, one piece of work at a
 * time; writes that wait share a batch. A write is answered after its commit stands, and one that was not answered left
 * a whole commit or none: nothing here is lost with a restart.
 */

/** Writes of one batch: one set of fsyncs, a commit each. */
const batchMax = 64
/** What waits beyond this is refused, so that an answer is never minutes away. */
const waitingMax = 256

export interface State {
  readonly waiting: ReadonlyArray<Job>
  readonly busy: boolean
}

export type Effect =
  | { readonly _tag: 'Recover' }
  | { readonly _tag: 'Carry'; readonly writes: ReadonlyArray<Write> }
  | { readonly _tag: 'Adopt'; readonly ask: Adopt }
  | { readonly _tag: 'Reindex'; readonly ask: Reindex }
  | { readonly _tag: 'Advance'; readonly ask: Advance }
  | { readonly _tag: 'Hold'; readonly ask: Hold }
  | { readonly _tag: 'SetMode'; readonly ask: SetMode }
  | { readonly _tag: 'AfterWrite'; readonly facts: ReadonlyArray<WriteFact> }

type Message = WriteGateMessage

/** The writes at the head of the queue, up to the first job of another kind. */
const leadingWrites = (waiting: ReadonlyArray<Job>): ReadonlyArray<Write> => {
  const writes: Array<Write> = []
  for (const job of waiting.slice(0, batchMax)) {
    if (job._tag !== 'Write') break
    writes.push(job)
  }
  return writes
}

const effectOf = (job: Job, writes: ReadonlyArray<Write>): Effect => {
  switch (job._tag) {
    case 'Write':
      return { _tag: 'Carry', writes }
    case 'Adopt':
      return { _tag: 'Adopt', ask: job }
    case 'Reindex':
      return { _tag: 'Reindex', ask: job }
    case 'Advance':
      return { _tag: 'Advance', ask: job }
    case 'Hold':
      return { _tag: 'Hold', ask: job }
    case 'SetMode':
      return { _tag: 'SetMode', ask: job }
    default:
      return absurd(job)
  }
}

/** Begins the next work if there is any and none is under way. */
const next = (
  state: State,
  before: ReadonlyArray<Effect | KernelEffect<Message>> = [],
): Step<State, Effect, Message> => {
  const [job] = state.waiting
  if (state.busy || job === undefined) return [state, before]
  const writes = leadingWrites(state.waiting)
  return [
    { busy: true, waiting: state.waiting.slice(Math.max(1, writes.length)) },
    [...before, effectOf(job, writes)],
  ]
}

const full =
  `${waitingMax} requests wait for the write gate already, the most that it takes; nothing was written. ` +
  'Send it again after the seconds of Retry-After.'

/** The answer of a job that is not even queued. */
const turnedAway = (job: Write | Adopt | Reindex): KernelEffect<Message> => {
  switch (job._tag) {
    case 'Write':
      return reply(job.replyTo, left(refuse('Overloaded', full)))
    case 'Adopt':
      return reply(job.replyTo, left(refuse('Overloaded', full)))
    case 'Reindex':
      return reply(job.replyTo, left(refuse('Overloaded', full)))
    default:
      return absurd(job)
  }
}

/**
 * A mode is never turned away: a gate that is overrun is one that somebody wants to close. Nor is a converge, which
 * asks one thing at a time: writes without end would keep this host from it for ever.
 */
const onJob = (state: State, job: Job): Step<State, Effect, Message> => {
  const isLimited = job._tag === 'Write' || job._tag === 'Adopt' || job._tag === 'Reindex'
  return isLimited && state.waiting.length >= waitingMax
    ? [state, [turnedAway(job)]]
    : next({ ...state, waiting: [...state.waiting, job] })
}

const receive = (state: State, message: Message): Step<State, Effect, Message> => {
  switch (message._tag) {
    case 'Write':
    case 'Adopt':
    case 'Reindex':
    case 'Advance':
    case 'Hold':
    case 'SetMode':
      return onJob(state, message)
    case 'Carried':
      return next({ busy: false, waiting: [...message.deferred, ...state.waiting] }, [
        ...message.settled.map(({ replyTo, outcome }) => reply(replyTo, outcome)),
        ...(message.facts.length === 0 ? [] : [{ _tag: 'AfterWrite', facts: message.facts } as const]),
      ])
    case 'Recovered':
      return next({ ...state, busy: false })
    case 'Reindexed':
      return next({ ...state, busy: false }, [reply(message.replyTo, message.outcome)])
    case 'Adopted':
      return next({ ...state, busy: false }, [reply(message.replyTo, message.outcome)])
    case 'ModeSet':
      return next({ ...state, busy: false }, [reply(message.replyTo, message.outcome)])
    case 'HoldDone':
      return next({ ...state, busy: false }, [reply(message.replyTo, { _tag: 'Released' })])
    case 'AdvanceDone':
      return next({ ...state, busy: false }, [reply(message.replyTo, message.outcome)])
    default:
      return absurd(message)
  }
}

const nothingOpen: Either<LandingFailure, Recovered> = right({ landed: [], lost: [], left: [] })

const recovered = async (ports: GatePorts, found: Either<LandingFailure, Recovered>): Promise<void> => {
  await ports.recovered(found)
  if (isLeft(found)) {
    if (found.left._tag === 'Disk') closedByDisk(ports, found.left.reason)
    return
  }
  ports.meter.count('svc_git_recoveries_total', { kind: 'intent_found' }, found.right.landed.length)
  ports.meter.count('svc_git_recoveries_total', { kind: 'intent_lost' }, found.right.lost.length)
}

const perform =
  (ports: GatePorts) =>
  async (effect: Effect, signal: AbortSignal): Promise<ReadonlyArray<Message>> => {
    switch (effect._tag) {
      case 'Carry':
        return [await carry(ports, effect.writes, signal)]
      case 'Recover': {
        await recovered(ports, (await ports.landing?.recover()) ?? nothingOpen)
        return [{ _tag: 'Recovered' }]
      }
      case 'Adopt': {
        const outcome = await adopt(ports.adoption, effect.ask, 'adoption', signal)
        return [{ _tag: 'Adopted', replyTo: effect.ask.replyTo, outcome }]
      }
      case 'Reindex': {
        const { dryRun, replyTo } = effect.ask
        const closed = gateRefusal(ports.arms(), dryRun)
        const outcome =
          closed === null ? await adopt(ports.adoption, effect.ask, 'reindex', signal) : left(closed)
        return [{ _tag: 'Reindexed', replyTo, outcome }]
      }
      case 'AfterWrite':
        await afterWrite(ports, effect.facts)
        return []
      case 'SetMode': {
        return [{ _tag: 'ModeSet', replyTo: effect.ask.replyTo, outcome: await setMode(ports, effect.ask) }]
      }
      case 'Hold':
        await hold(ports, effect.ask, signal)
        return [{ _tag: 'HoldDone', replyTo: effect.ask.replyTo }]
      case 'Advance': {
        const outcome = await advance(ports, effect.ask, signal)
        return [{ _tag: 'AdvanceDone', replyTo: effect.ask.replyTo, outcome }]
      }
      default:
        return absurd(effect)
    }
  }

export const writeGate: Actor<State, Message, Effect, GatePorts> = {
  name: 'write-gate',
  codec: WriteGateMessage,
  mailboxMax: 256,
  stuckMs: 300_000,
  // Ready at once: reads and the front need not wait for what a crash left; writes do.
  initial: () => [{ waiting: [], busy: true }, [ready, { _tag: 'Recover' }]],
  receive,
  perform,
}
