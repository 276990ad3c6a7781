import { isRight } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms.js'
import type { ForgeCall, ForgeMerge, ForgeOutcome, ForgeRequest } from '#protocol/host/forge.js'
import { describeOutcome, mergeabilityOf, reactTo } from './merge-request.js'
import { appendClosingLine, escapeMarkdown, hasClosingLine } from './wire.js'

/**
 * What to do with the branch: nothing; close an open request that would merge nothing; leave the branch as it is,
 * because a person closed its request; or push it and go on with its request.
 */
export type PublishMove =
  | { readonly _tag: 'Nothing' }
  | { readonly _tag: 'Close'; readonly request: ForgeRequest }
  | { readonly _tag: 'Refrain'; readonly request: ForgeRequest }
  | { readonly _tag: 'Push'; readonly open: ForgeRequest | null }

/** Decides by the facts. A request that a person closed is not opened again until this host has a new commit. */
export const decidePublish = ({ request, isTakenOver, hasNewWrites }: PublishFacts): PublishMove => {
  const open = request !== null && isOpen(request) ? request : null
  if (isTakenOver) return open === null ? { _tag: 'Nothing' } : { _tag: 'Close', request: open }
  if (request?.state === 'closed' && !hasNewWrites) return { _tag: 'Refrain', request }
  return { _tag: 'Push', open }
}

/** A branch that was pushed and is to be merged by a request. */
export interface RequestPublishGoal {
  readonly town: string
  readonly sourceBranch: string
  readonly targetBranch: string
  /** The commit that the branch is at. */
  readonly sha: string
}

export type RequestPublishEnd =
  | { readonly _tag: 'Merged'; readonly request: ForgeRequest }
  /** The request waits for checks or people; `status` says for what. */
  | { readonly _tag: 'Waits'; readonly request: ForgeRequest | null; readonly status: string }
  /** A person closed the request. */
  | { readonly _tag: 'Closed'; readonly request: ForgeRequest }
  /** The forge refused the call, and a repetition does not help. */
  | { readonly _tag: 'Refused'; readonly reason: string }
  /** The forge did not answer, or asks for a pause. It may have performed the call. */
  | { readonly _tag: 'Unanswered'; readonly reason: string }

export type RequestPublishStep =
  | { readonly _tag: 'Call'; readonly publish: RequestPublish }
  | { readonly _tag: 'End'; readonly end: RequestPublishEnd }

/** Begins with the request that is open, or opens one. The caller has listed the requests before. */
export const beginRequestPublish = (
  goal: RequestPublishGoal,
  open: ForgeRequest | null,
): RequestPublishStep => {
  const call: ForgeCall = open === null ? openOf(goal) : { _tag: 'ReadRequest', iid: open.iid }
  return { _tag: 'Call', publish: { goal, call, request: open } }
}

/**
 * Takes the outcome of the call under way and returns the next one. It never waits: where the forge does not
 * answer or is not ready, it ends, and the next converge lists the requests again, so that a call whose answer was
 * lost opens no second request.
 */
export const advanceRequestPublish = (publish: RequestPublish, outcome: ForgeOutcome): RequestPublishStep => {
  const reaction = reactTo(publish.call, outcome, 0)
  const { request } = publish
  switch (reaction._tag) {
    case 'Use':
      return reaction.result._tag === 'Request'
        ? goOnWith(publish, reaction.result.request)
        : endAt({ _tag: 'Unanswered', reason: describeOutcome(outcome) })
    case 'Adopt':
    case 'Wait':
      return endAt({ _tag: 'Waits', request, status: request?.mergeStatus ?? describeOutcome(outcome) })
    case 'Stop':
      return endAt({ _tag: 'Refused', reason: describeOutcome(outcome) })
    case 'Retry':
    case 'Look':
      return endAt({ _tag: 'Unanswered', reason: describeOutcome(outcome) })
  }
}

/** The call that closes a request which would merge nothing. */
export const closeEmptyRequest = (
  { iid, description, targetBranch }: ForgeRequest,
  town: string,
): ForgeCall => ({
  _tag: 'CloseRequest',
  iid,
  description: appendClosingLine(description, town, `${targetBranch} has these changes`),
})

/**
 * Picks the request that publishes a branch now, from the requests of its source branch, the newest first: the
 * one that is open, else the newest one that ended. Those that a daemon closed are left out. Null: there is none.
 */
export const pickPublishRequest = (
  targetBranch: string,
  requests: ReadonlyArray<ForgeRequest>,
): ForgeRequest | null => {
  const ours = requests.filter(
    one => one.targetBranch === targetBranch && !(one.state === 'closed' && hasClosingLine(one.description)),
  )
  return ours.find(({ state }) => state === 'opened' || state === 'locked') ?? ours[0] ?? null
}

/**
 * The merges that made a commit on the target branch, the newest first. Any of them may be a squash, whose commit
 * does not have the tip among its ancestors.
 */
export const listForgeMerges = (
  targetBranch: string,
  requests: ReadonlyArray<ForgeRequest>,
): ReadonlyArray<ForgeMerge> =>
  requests.flatMap(({ state, targetBranch: target, sha, mergeCommit }) => {
    const [tip, commit] = [CommitId.decode(sha), CommitId.decode(mergeCommit)]
    return state === 'merged' && target === targetBranch && isRight(tip) && isRight(commit)
      ? [{ tip: tip.right, commit: commit.right }]
      : []
  })

/** What is known before a branch is published by a request. */
interface PublishFacts {
  /** From `pickPublishRequest`. */
  readonly request: ForgeRequest | null
  /** Whether the target branch has the contents of every commit already, as after a squash. */
  readonly isTakenOver: boolean
  /** Whether this host made a commit that the request did not have when it was closed. */
  readonly hasNewWrites: boolean
}

const isOpen = ({ state }: ForgeRequest): boolean => state === 'opened' || state === 'locked'

/** The call that is under way. */
interface RequestPublish {
  readonly goal: RequestPublishGoal
  readonly call: ForgeCall
  readonly request: ForgeRequest | null
}

const endAt = (end: RequestPublishEnd): RequestPublishStep => ({ _tag: 'End', end })

const openOf = ({ town, sourceBranch, targetBranch, sha }: RequestPublishGoal): ForgeCall => ({
  _tag: 'OpenRequest',
  sourceBranch,
  targetBranch,
  title: `Commits of ${town}`,
  description: `Kronika publishes what ${escapeMarkdown(town)} wrote. Opened at commit ${sha}.`,
})

/** The status while a pipeline runs; the forge then merges by itself when the pipeline succeeds. */
const runsChecks = ({ mergeStatus }: ForgeRequest): boolean => mergeStatus === 'ci_still_running'

const goOnWith = (publish: RequestPublish, request: ForgeRequest): RequestPublishStep => {
  const { goal, call } = publish
  if (request.state === 'merged') return endAt({ _tag: 'Merged', request })
  if (request.state === 'closed') return endAt({ _tag: 'Closed', request })
  if (request.sha !== goal.sha) return endAt({ _tag: 'Waits', request, status: 'branch_moved' })
  const isMergeable = mergeabilityOf(request.mergeStatus) === 'mergeable'
  const isReady = request.state === 'opened' && (isMergeable || runsChecks(request))
  if (!isReady || call._tag === 'MergeRequest')
    return endAt({ _tag: 'Waits', request, status: request.mergeStatus ?? request.state })
  const merge: ForgeCall = {
    _tag: 'MergeRequest',
    iid: request.iid,
    sha: goal.sha,
    ...(runsChecks(request) ? { whenChecksSucceed: true } : {}),
  }
  return { _tag: 'Call', publish: { ...publish, call: merge, request } }
}
