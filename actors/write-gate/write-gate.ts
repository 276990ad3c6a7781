import { left } from 'fp-ts/lib/Either.js'
import { absurd } from 'fp-ts/lib/function.js'
import { refuse } from '#protocol/refusal.js'
import { type Actor, cancel, type KernelEffect, ready, reply, stay } from '#src/kernel/actor/actor.js'
import { decideBatch, hideUnseen } from './land-batch.js'
import {
  type Adopt,
  type Advance,
  type Attempted,
  type Follow,
  type GateJob,
  type Published,
  type ReindexRequest,
  type Write,
  WriteGateMessage,
} from './messages.js'
import type { GatePorts } from './mode.js'
import { perform } from './perform.js'
import {
  attemptOf,
  beginNext,
  type Effect,
  endBatch,
  failureEffects,
  type GateEffects,
  type GateStep,
  type Lease,
  type State,
} from './state.js'

/**
 * The write gate is the single writer of the lore and of the other trees that the host writes. It handles requests in
 * order of arrival, one piece of work at a time; waiting writes of one tree share a batch. `receive` decides what is
 * planned again, what waits, and when the gate gives up; effects only look, land and report. A write is answered after
 * its commit exists; a write without an answer left a complete commit or none, so a restart loses nothing.
 */

/** Further writes and adoptions are refused, so that an answer never takes minutes. */
const waitingMax = 256

const full =
  `${waitingMax} requests are waiting for the write gate, the most that it queues, so nothing was written. ` +
  'Send it again after the seconds of Retry-After.'

/** The refusal of a job that is not queued. */
const turnAway = (job: Write | Adopt | ReindexRequest): KernelEffect<Message> => {
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
 * A mode is always queued: an operator wants to close a gate that is overloaded. So is a converge, which asks
 * one thing at a time: endless writes would otherwise keep this host from it.
 */
const onJob = (state: State, job: GateJob): GateStep => {
  const isLimited = job._tag === 'Write' || job._tag === 'Adopt' || job._tag === 'Reindex'
  if (isLimited && state.waiting.length >= waitingMax) return [state, [turnAway(job)]]
  const waiting = [...state.waiting, job]
  return state.work === null ? beginNext(waiting) : stay({ ...state, waiting })
}

const onAttempted = (state: State, { outcome }: Attempted): GateStep => {
  const { work } = state
  if (work?._tag !== 'Batch') return stay(state)
  const { writes, tries } = work
  const decision = decideBatch(writes.length, tries, outcome)
  const replans: GateEffects =
    outcome._tag === 'Failed' && outcome.failure._tag === 'Moved' ? [{ _tag: 'CountReplan' }] : []
  switch (decision._tag) {
    case 'TryAgain':
      return [{ ...state, work: { ...work, tries: tries + 1 } }, [...replans, attemptOf(writes)]]
    case 'Publish': {
      const { end, commit } = decision
      const effects = [...failureEffects(end), { _tag: 'Publish', commit, tree: end.tree } as const]
      return [{ ...state, work: { _tag: 'Publishing', writes, end } }, effects]
    }
    case 'Answer':
      return endBatch(state, writes, decision.end, [...replans, ...failureEffects(decision.end)])
  }
}

const onPublished = (state: State, { isSeen }: Published): GateStep => {
  const { work } = state
  if (work?._tag !== 'Publishing') return stay(state)
  return endBatch(state, work.writes, isSeen ? work.end : hideUnseen(work.end))
}

/**
 * Makes a move under a lease at once: everything that waits, waits for the lease. A move without one takes
 * its turn.
 */
const onAdvance = (state: State, ask: Advance): GateStep => {
  const { work } = state
  if (ask.lease === null) return onJob(state, ask)
  const isHeld = work?._tag === 'Lease' && work.lease === ask.lease && !work.isOver && !work.isMoving
  return isHeld
    ? [{ ...state, work: { ...work, isMoving: true } }, [{ _tag: 'Advance', ask }]]
    : [state, [reply(ask.replyTo, { _tag: 'Lapsed' })]]
}

const endLease = ({ waiting }: State, { followers }: Lease): GateStep =>
  beginNext(waiting, [cancel('lease'), ...followers.map(follower => reply(follower, { _tag: 'LeaseOver' }))])

const onAdvanceDone = (state: State, message: Extract<Message, { _tag: 'AdvanceDone' }>): GateStep => {
  const { work } = state
  const answer = reply(message.replyTo, message.outcome)
  if (work?._tag !== 'Lease') return beginNext(state.waiting, [answer])
  if (!work.isOver) return [{ ...state, work: { ...work, isMoving: false } }, [answer]]
  const [next, effects] = endLease(state, work)
  return [next, [answer, ...effects]]
}

const onFollow = (state: State, { lease, replyTo }: Follow): GateStep => {
  const { work } = state
  return work?._tag === 'Lease' && work.lease === lease
    ? stay({ ...state, work: { ...work, followers: [...work.followers, replyTo] } })
    : [state, [reply(replyTo, { _tag: 'LeaseOver' })]]
}

/** Ends a lease, also one that still waits for its turn; a move under it is finished first. */
const onRelease = (state: State, lease: string): GateStep => {
  const { work } = state
  if (work?._tag !== 'Lease' || work.lease !== lease)
    return stay({
      ...state,
      waiting: state.waiting.filter(job => job._tag !== 'Hold' || job.lease !== lease),
    })
  return work.isMoving ? stay({ ...state, work: { ...work, isOver: true } }) : endLease(state, work)
}

const receive = (state: State, message: Message): GateStep => {
  switch (message._tag) {
    case 'Write':
    case 'Adopt':
    case 'Reindex':
    case 'Hold':
    case 'SetMode':
    case 'SettleRole':
      return onJob(state, message)
    case 'Advance':
      return onAdvance(state, message)
    case 'Follow':
      return onFollow(state, message)
    case 'Release':
      return onRelease(state, message.lease)
    case 'LeaseLapsed': {
      const [next, effects] = onRelease(state, message.lease)
      return [next, [{ _tag: 'TellLapsed', lease: message.lease }, ...effects]]
    }
    case 'Attempted':
      return onAttempted(state, message)
    case 'Published':
      return onPublished(state, message)
    case 'Recovered':
    case 'RoleSettled':
      return beginNext(state.waiting)
    case 'Reindexed':
      return beginNext(state.waiting, [reply(message.replyTo, message.outcome)])
    case 'Adopted':
      return beginNext(state.waiting, [reply(message.replyTo, message.outcome)])
    case 'ModeSet':
      return beginNext(state.waiting, [reply(message.replyTo, message.outcome)])
    case 'AdvanceDone':
      return onAdvanceDone(state, message)
    default:
      return absurd(message)
  }
}

export const writeGate: Actor<State, Message, Effect, GatePorts> = {
  name: 'write-gate',
  codec: WriteGateMessage,
  mailboxMax: 256,
  stuckMs: 300_000,
  // Ready at once: only writes need to wait for what a crash left, not reads and the front.
  initial: () => [{ waiting: [], work: { _tag: 'Recovery' } }, [ready, { _tag: 'Recover' }]],
  receive,
  perform,
}

type Message = WriteGateMessage
