import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms.js'
import type { PublishMode } from '#protocol/host/discovery.js'
import type { SyncAction } from '#protocol/host/sync.js'
import type { KernelClock } from '#src/kernel/time/clock.js'
import type { Fetched, Remote, Replacement, ReplayedCommit, Rewrite } from '#src/ports/git.js'
import type { HostRequests } from './publish.js'
import type { ConvergeOutcome, ParkedNote } from './state.js'

/** Why the branch of this host was not moved. */
export type AdvanceFailure =
  | { readonly _tag: 'Moved' }
  /** The gate accepts nothing now; it did nothing. */
  | { readonly _tag: 'Away'; readonly reason: string }
  | { readonly _tag: 'Dirty'; readonly files: ReadonlyArray<string> }
  /** The gate tried and has finished. */
  | { readonly _tag: 'Failed'; readonly reason: string }
  /** The gate did not answer: it may still move the branch. */
  | { readonly _tag: 'Unknown'; readonly reason: string }

/**
 * Moves the branch to one of its descendants, or with `replaces` to any commit, and publishes it to readers; the write
 * gate does it.
 */
export type AdvanceBranch = (
  from: CommitId,
  to: CommitId,
  reason: string,
  replaces?: boolean,
) => Promise<Either<AdvanceFailure, void>>

/**
 * Runs work in its turn among the writes, while no write of this host moves the branch. `signal` aborts after
 * `limitMs` or when the gate ends; the work then ends soon. Left, with the reason, where the gate never began
 * it.
 */
export type HoldGate = <A>(
  work: (advance: AdvanceBranch, signal: AbortSignal) => Promise<A>,
  limitMs: number,
) => Promise<Either<string, A>>

/** A step of a converge; in mode `mr` a push has the calls of the forge. */
export type ConvergeStep = 'fetch' | 'integrate' | 'push'

/** What a converge waits for during a step, for a person. */
export const stepWords: Readonly<Record<ConvergeStep, string>> = {
  fetch: 'the fetch from the remote',
  integrate: 'the merge with what the remote has',
  push: 'the push to the remote',
}

/** A rewrite that was accepted here, and what became of the commits of this host. */
export interface AcceptedRewrite extends Replacement {
  readonly rewrite: Rewrite
  /** The ref that keeps the branch as it was. */
  readonly kept: string
  readonly made: ReadonlyArray<ReplayedCommit>
  readonly parked: ReadonlyArray<ParkedNote>
}

export interface AttemptPorts {
  readonly remote: Remote
  readonly advance: AdvanceBranch
  readonly hold: HoldGate
  readonly nowMs: () => number
  readonly after: KernelClock['after']
  /** Called after the branch has taken the new history of the remote. */
  readonly accepted: (accepted: AcceptedRewrite) => void
  /** Used in mode `mr` alone. */
  readonly requests: HostRequests
  /** Times a step, for the metric. */
  readonly timed: <A>(step: ConvergeStep, work: () => Promise<A>) => Promise<A>
}

export interface AttemptOptions {
  /** How to publish what was integrated. */
  readonly publishMode: PublishMode
  /** How long writes may wait for a merge that lost its race with a write. */
  readonly holdMs: number
  /** What is left of the time of the converge. */
  readonly limitMs: number
  /** Whether a person accepts a history that the remote was given since this host saw it last. */
  readonly accepts: boolean
}

/** What an attempt did before it ended. */
export type Done = Pick<ConvergeOutcome, 'received' | 'incoming' | 'merged' | 'resolved' | 'parked'>

export const stopAttempt = (action: SyncAction, detail: string, done: Done = nothing): ConvergeOutcome => ({
  ...done,
  _tag: 'Stopped',
  action,
  detail,
})

export const loseAttempt = (
  by: 'gate' | 'remote' | 'silence',
  detail: string,
  done: Done = nothing,
): ConvergeOutcome => ({
  ...done,
  _tag: 'Beaten',
  by,
  detail,
})

/** What was integrated, and how that ended. */
export interface Merge {
  readonly fetched: Fetched
  readonly end: Joined
}

/** How an attempt ends whose move of the branch failed. */
export const outcomeOfFailure = (failure: AdvanceFailure): ConvergeOutcome => {
  switch (failure._tag) {
    case 'Moved':
      return loseAttempt('gate', 'The branch moved during the merge.')
    case 'Away':
      return loseAttempt('gate', failure.reason)
    case 'Dirty':
      return stopAttempt(
        'work_tree_dirty',
        `These files have uncommitted changes here: ${failure.files.slice(0, 20).join(', ')}.`,
      )
    case 'Failed':
    case 'Unknown':
      return stopAttempt('failed', failure.reason)
  }
}

/** Integrates beside the writes. Where a write was faster, integrates again while writes wait. */
export const integrateFetched = async (
  ports: AttemptPorts,
  fetched: Fetched,
  holdMs: number,
  signal: AbortSignal,
): Promise<Merge | ConvergeOutcome> => {
  const end = await joinRemote(ports, fetched, signal)
  const isBeatenByGate = end._tag === 'Beaten' && end.by === 'gate'
  return isBeatenByGate ? integrateInHold(ports, fetched, holdMs, signal) : { fetched, end }
}

const nothing: Done = { received: 0, incoming: null, merged: false, resolved: 0, parked: null }

/** The branch with everything of the remote in it, or how the attempt ended. */
type Joined = { readonly _tag: 'Joined'; readonly head: CommitId; readonly done: Done } | ConvergeOutcome

/**
 * Whether the branch has not moved and will not. After a failure of the gate only the branch itself can tell.
 */
const isUntouched = async (
  { remote }: AttemptPorts,
  { branch, head }: Fetched,
  failure: AdvanceFailure,
): Promise<boolean> => {
  if (failure._tag === 'Unknown') return false
  if (failure._tag !== 'Failed') return true
  const now = await remote.compare(branch)
  return now._tag === 'Fetched' && now.head === head
}

const advanceBranch = async (
  ports: AttemptPorts,
  fetched: Fetched,
  to: CommitId,
  done: Done,
  giveUp: () => Promise<void>,
): Promise<Joined> => {
  const moved = await ports.advance(fetched.head, to, done.merged ? 'sync: merge' : 'sync: fast-forward')
  if (!isLeft(moved)) return { _tag: 'Joined', head: to, done }
  if (await isUntouched(ports, fetched, moved.left)) await giveUp()
  return outcomeOfFailure(moved.left)
}

const joinRemote = async (ports: AttemptPorts, fetched: Fetched, signal: AbortSignal): Promise<Joined> => {
  const { head, remote, incoming } = fetched
  if (remote === null || incoming === 0) return { _tag: 'Joined', head, done: nothing }
  const received: Done = { ...nothing, received: incoming, incoming: { from: head, to: remote } }
  if (fetched.outgoing === 0) return advanceBranch(ports, fetched, remote, received, () => Promise.resolve())
  const merge = await ports.timed('integrate', () => ports.remote.integrate(fetched, ports.nowMs(), signal))
  if (signal.aborted) return loseAttempt('silence', 'The converge was cancelled.')
  if (merge._tag === 'Failed') return stopAttempt(merge.action, merge.detail)
  const { commit, resolved, parked } = merge
  // Park before the branch moves: at no time is the merge there without what it left out.
  const kept = parked === null ? null : await ports.remote.park(parked.commit)
  const note: ParkedNote | null =
    parked === null || kept === null ? null : { ...parked, ref: kept.ref, commit: kept.commit }
  const giveUp = async (): Promise<void> => {
    // A ref of an earlier attempt stays: that attempt may still be moving the branch.
    if (kept?.isNew === true) await ports.remote.unpark(kept.ref, kept.commit)
  }
  return advanceBranch(ports, fetched, commit, { ...received, merged: true, resolved, parked: note }, giveUp)
}

/**
 * Waits for the gate to finish earlier writes, then integrates while no other write moves the branch. The
 * remote remembers what it merged before, so the waiting writes are delayed only by what changed since.
 */
const integrateInHold = async (
  ports: AttemptPorts,
  { branch }: Fetched,
  limitMs: number,
  signal: AbortSignal,
): Promise<Merge | ConvergeOutcome> => {
  const merge = await ports.hold(async (advance, held): Promise<Merge | ConvergeOutcome> => {
    const both = AbortSignal.any([signal, held])
    const fetched = await ports.remote.compare(branch)
    if (fetched._tag === 'Failed') return stopAttempt(fetched.action, fetched.detail)
    const end = await joinRemote({ ...ports, advance }, fetched, both)
    const isOverdue = held.aborted && end._tag === 'Beaten' && end.by === 'silence'
    return isOverdue
      ? loseAttempt('gate', 'The merge took longer than writes may wait for it, or the write gate restarted.')
      : { fetched, end }
  }, limitMs)
  return isLeft(merge) ? loseAttempt('gate', merge.left) : merge.right
}
