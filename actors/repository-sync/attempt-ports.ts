import type { Either } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms.js'
import type { PublishMode } from '#protocol/discovery.js'
import type { KernelClock } from '#src/kernel/time/clock.js'
import type { Remote, Replacement, ReplayedCommit, Rewrite } from '#src/ports/git.js'
import type { ParkedNote } from './messages.js'
import type { HostRequests } from './publish/request-ports.js'

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
