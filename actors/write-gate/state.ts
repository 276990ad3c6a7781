import { isLeft } from 'fp-ts/lib/Either.js'
import { absurd } from 'fp-ts/lib/function.js'
import type { Tree } from '#protocol/atoms.js'
import { detachedWords } from '#protocol/host/discovery.js'
import { after, type KernelEffect, reply, type Step } from '#src/kernel/actor/actor.js'
import type { ReplyTo } from '#src/kernel/actor/ref.js'
import type { LandingFailure } from '#src/ports/landing.js'
import { type BatchEnd, countResults } from './land-batch.js'
import type {
  Adopt,
  Advance,
  AdvanceOutcome,
  BranchMove,
  GateJob,
  Hold,
  LeaseOver,
  ReindexRequest,
  SetMode,
  SettleRole,
  Write,
  WriteGateMessage,
} from './messages.js'
import { closeForDisk, type GatePorts, reportBehind } from './mode.js'
import type { WriteFact } from './plan-on.js'

/**
 * The current lease. `isMoving`: a move of the branch is running; `isOver`: the lease ends with that move.
 */
export interface Lease {
  readonly _tag: 'Lease'
  readonly lease: string
  readonly followers: ReadonlyArray<ReplyTo<LeaseOver>>
  readonly isMoving: boolean
  readonly isOver: boolean
}

/** `waiting` is the one queue of the gate: its jobs have not begun. */
export interface State {
  readonly waiting: ReadonlyArray<GateJob>
  readonly work: Work | null
}

export type Effect =
  | { readonly _tag: 'Recover' }
  | { readonly _tag: 'Attempt'; readonly writes: ReadonlyArray<Write> }
  | {
      readonly _tag: 'Publish'
      readonly commit: NonNullable<BatchEnd['settled'][number]['commit']>
      readonly tree: Tree
    }
  | { readonly _tag: 'CountReplan' }
  | { readonly _tag: 'CountResults'; readonly results: ReturnType<typeof countResults> }
  /** Reports commits that were made while index or work tree are behind. */
  | { readonly _tag: 'TellBehind'; readonly failure: LandingFailure; readonly tree: Tree }
  | { readonly _tag: 'CloseGate'; readonly reason: string }
  | { readonly _tag: 'AfterWrite'; readonly facts: ReadonlyArray<WriteFact> }
  | { readonly _tag: 'TellLapsed'; readonly lease: string }
  | { readonly _tag: 'Adopt'; readonly ask: Adopt }
  | { readonly _tag: 'Reindex'; readonly ask: ReindexRequest }
  | { readonly _tag: 'Advance'; readonly ask: Advance }
  | { readonly _tag: 'SetMode'; readonly ask: SetMode }
  | SettleRole

export type GateEffects = ReadonlyArray<Effect | KernelEffect<WriteGateMessage>>
export type GateStep = Step<State, Effect, WriteGateMessage>

export const attemptOf = (writes: ReadonlyArray<Write>): Effect => ({ _tag: 'Attempt', writes })

/** Begins the next work, if there is any. The previous work has ended. */
export const beginNext = (waiting: ReadonlyArray<GateJob>, before: GateEffects = []): GateStep => {
  const [job] = waiting
  if (job === undefined) return [{ waiting, work: null }, before]
  const writes = takeFirstWrites(waiting)
  const [work, effects] = begin(job, writes)
  return [{ work, waiting: waiting.slice(Math.max(1, writes.length)) }, [...before, ...effects]]
}

/** What a failed landing does to the gate, whatever is answered. */
export const failureEffects = ({ tree, facts, failure }: BatchEnd): GateEffects => {
  if (failure === null) return []
  if (facts.length > 0) return [{ _tag: 'TellBehind', failure, tree }]
  return failure._tag === 'Disk' && tree === 'lore' ? [{ _tag: 'CloseGate', reason: failure.reason }] : []
}

/** Answers the settled writes of a batch; the others go back to the head of the queue. */
export const endBatch = (
  { waiting }: State,
  writes: ReadonlyArray<Write>,
  end: BatchEnd,
  before: GateEffects = [],
): GateStep => {
  const outcomes = new Map(end.settled.map(({ at, outcome }) => [at, outcome]))
  const deferred = writes.filter((_, at) => !outcomes.has(at))
  const replies = writes.flatMap(({ replyTo }, at) => {
    const outcome = outcomes.get(at)
    return outcome === undefined ? [] : [reply(replyTo, outcome)]
  })
  return beginNext(
    [...deferred, ...waiting],
    [
      ...before,
      { _tag: 'CountResults', results: countResults(end) },
      ...replies,
      ...(end.facts.length === 0 ? [] : [{ _tag: 'AfterWrite', facts: end.facts } as const]),
    ],
  )
}

/** The ports of a move of the branch. */
type AdvancePorts = Pick<
  GatePorts,
  'landing' | 'trees' | 'newIntent' | 'nowMs' | 'mode' | 'publish' | 'warn' | 'published'
>

/**
 * Moves the branch of a tree to a commit that exists. Readers see it when this resolves, unless looking at HEAD fails
 * for long.
 */
export const advance = async (
  ports: AdvancePorts,
  { tree, from, to, reason, replaces }: BranchMove,
  signal: AbortSignal,
): Promise<AdvanceOutcome> => {
  const landing = tree === 'lore' ? ports.landing : (ports.trees.get(tree)?.landing ?? null)
  if (landing === null) return { _tag: 'Failed', reason: 'a directory without git has no branch' }
  const moved = await landing.advance(
    { intent: ports.newIntent(), from, to, reason, replaces, atMs: ports.nowMs() },
    signal,
  )
  if (isLeft(moved)) {
    const failure = moved.left
    switch (failure._tag) {
      case 'Detached':
        return { _tag: 'Failed', reason: detachedWords }
      case 'Locked':
        return { _tag: 'Failed', reason: `another process holds ${failure.lock}` }
      case 'Disk':
        return {
          _tag: 'Failed',
          reason: tree === 'lore' ? closeForDisk(ports, failure.reason).detail : failure.reason,
        }
      case 'Blocked':
        return { _tag: 'Failed', reason: `${failure.reason} (${failure.code})` }
      case 'Unpublished':
        throw new Error('a move of the branch publishes nothing')
      case 'Moved':
      case 'Dirty':
      case 'Failed':
        return failure
      default:
        return absurd(failure)
    }
  }
  reportBehind(ports, moved.right.unfinished, tree)
  await ports.published(to, tree)
  return { _tag: 'Advanced', commit: to }
}

/** The most writes of one batch: they share one set of fsyncs and have a commit each. */
const batchMax = 64

/** Time after its limit until the gate ends a lease: a living holder has released it by then. */
const leaseGraceMs = 1_000

/** What the gate is doing: one piece of work at a time. */
type Work =
  | { readonly _tag: 'Recovery' }
  /** Writes that share a landing; `tries` counts the attempts that have begun. */
  | { readonly _tag: 'Batch'; readonly writes: ReadonlyArray<Write>; readonly tries: number }
  /** Writes that are committed and are being published to readers. */
  | { readonly _tag: 'Publishing'; readonly writes: ReadonlyArray<Write>; readonly end: BatchEnd }
  | { readonly _tag: 'Job'; readonly job: Adopt | ReindexRequest | Advance | SetMode | SettleRole }
  | Lease

/** The writes at the head of the queue, up to the first job of another kind; one that publishes is alone. */
const takeFirstWrites = (waiting: ReadonlyArray<GateJob>): ReadonlyArray<Write> => {
  const writes: Array<Write> = []
  for (const job of waiting.slice(0, batchMax)) {
    if (job._tag !== 'Write' || (job.publishes && writes.length > 0)) break
    writes.push(job)
    if (job.publishes) break
  }
  return writes
}

const grant = ({ lease, limitMs, replyTo }: Hold): readonly [Work, GateEffects] => [
  { _tag: 'Lease', lease, followers: [], isMoving: false, isOver: false },
  [
    reply(replyTo, { _tag: 'Held' }),
    after<WriteGateMessage>('lease', limitMs + leaseGraceMs, { _tag: 'LeaseLapsed', lease }),
  ],
]

const begin = (job: GateJob, writes: ReadonlyArray<Write>): readonly [Work, GateEffects] => {
  switch (job._tag) {
    case 'Write':
      return [{ _tag: 'Batch', writes, tries: 1 }, [attemptOf(writes)]]
    case 'Hold':
      return grant(job)
    case 'Adopt':
      return [{ _tag: 'Job', job }, [{ _tag: 'Adopt', ask: job }]]
    case 'Reindex':
      return [{ _tag: 'Job', job }, [{ _tag: 'Reindex', ask: job }]]
    case 'Advance':
      return [{ _tag: 'Job', job }, [{ _tag: 'Advance', ask: job }]]
    case 'SetMode':
      return [{ _tag: 'Job', job }, [{ _tag: 'SetMode', ask: job }]]
    case 'SettleRole':
      return [{ _tag: 'Job', job }, [job]]
  }
}
