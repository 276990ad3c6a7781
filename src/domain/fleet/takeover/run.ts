import type { ClaimCommit, TakeoverFailure, TakeoverJob } from '#protocol/fleet/takeover.js'
import type { ForgeCall, ForgeRequest } from '#protocol/forge.js'
import type { RequestClosing } from '#src/domain/forge/request-closing.js'
import type { RequestMerge } from '#src/domain/forge/request-merge.js'
import type { FetchedFleet, TakeoverAction } from './action.js'
import { branchOfJob } from './texts.js'

/** The work of a job ends after this time; a minute is left to close its request. */
export const workMs = 540_000
export const closingMs = 60_000

export interface FailedTakeover {
  readonly failure: TakeoverFailure
  readonly detail: string
}

export type TakeoverEnd =
  /** A request for this version of the topology is merged. */
  | { readonly _tag: 'Done'; readonly request: ForgeRequest }
  /** `iid`: the last known request. `owesClosing`: it may be open still, and is to be closed later. */
  | (FailedTakeover & {
      readonly _tag: 'Failed'
      readonly iid: number | null
      readonly owesClosing: boolean
    })

/** The action under way, with what it needs. */
export type TakeoverPhase =
  | { readonly _tag: 'Looking' }
  | { readonly _tag: 'Probing'; readonly town: string; readonly found: FetchedFleet }
  | { readonly _tag: 'Claiming'; readonly found: FetchedFleet; readonly claim: ClaimCommit }
  /** `town`: the one that the branch makes the apex; `hasAnswered`: it answered a probe for the call that is next. */
  | {
      readonly _tag: 'Merging'
      readonly merge: RequestMerge
      readonly town: string
      readonly hasAnswered: boolean
    }
  | { readonly _tag: 'Converging'; readonly request: ForgeRequest }
  /** Looks for the open request of a failed job. */
  | { readonly _tag: 'Finding'; readonly failed: FailedTakeover; readonly failures: number }
  | { readonly _tag: 'Closing'; readonly failed: FailedTakeover; readonly closing: RequestClosing }

/** A job as it is worked on. */
export interface TakeoverRun {
  readonly job: TakeoverJob
  /** The town of this host. */
  readonly self: string
  readonly phase: TakeoverPhase
  /** On the monotonic clock. No action but those of a closing begins at or after it. */
  readonly deadlineAtMs: number
  /** The request of this job, as soon as it is known. */
  readonly iid: number | null
  /** Whether this host may have opened or adopted a request. */
  readonly mayHaveRequest: boolean
  readonly hasProbed: boolean
  /** The town that the branch named and that did not answer; it is no candidate of this job any more. */
  readonly silentTown: string | null
  /** When the topology was last read from the remote, on the monotonic clock. */
  readonly fetchedAtMs: number
  /** Actions that failed and are repeated. */
  readonly failures: number
}

/** The next action, to be begun after a wait; or the end. */
export type TakeoverStep =
  | { readonly _tag: 'Do'; readonly afterMs: number; readonly run: TakeoverRun }
  | { readonly _tag: 'End'; readonly end: TakeoverEnd }

export interface MonotonicNow {
  readonly monotonicMs: number
}

const call = (what: ForgeCall): TakeoverAction => ({ _tag: 'CallForge', call: what })

/** Whether another town would become the apex by the call that is next, and has not been probed for it. */
const needsAnswer = (
  { merge, town, hasAnswered }: Extract<TakeoverPhase, { _tag: 'Merging' }>,
  self: string,
): boolean => merge.call._tag === 'MergeRequest' && town !== self && !hasAnswered

/** The action that is under way. */
export const actionOf = ({ job, self, phase }: TakeoverRun): TakeoverAction => {
  switch (phase._tag) {
    case 'Looking':
      return { _tag: 'Fetch', claimBranch: branchOfJob(job) }
    case 'Probing':
      return { _tag: 'ProbeTown', town: phase.town }
    case 'Claiming':
      return { _tag: 'PushClaim', claim: phase.claim }
    case 'Merging':
      return needsAnswer(phase, self) ? { _tag: 'ProbeTown', town: phase.town } : call(phase.merge.call)
    case 'Converging':
      return { _tag: 'Converge' }
    case 'Finding':
      return call({ _tag: 'ListRequests', sourceBranch: branchOfJob(job) })
    case 'Closing':
      return call(phase.closing.call)
  }
}
