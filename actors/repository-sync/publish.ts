import type { CommitId } from '#protocol/atoms.js'
import type { ForgeCall, ForgeRequest } from '#protocol/host/forge.js'
import type { PublishRequest, SyncAction } from '#protocol/host/sync.js'
import { describeOutcome, reactTo } from '#src/domain/forge/merge-request.js'
import {
  advanceRequestPublish,
  beginRequestPublish,
  closeEmptyRequest,
  decidePublish,
  type PublishMove,
  pickPublishRequest,
  type RequestPublishEnd,
  type RequestPublishGoal,
} from '#src/domain/forge/publish-request.js'
import type { ForgePort } from '#src/ports/fleet.js'
import type { PublishGit, Pushed } from '#src/ports/git.js'

/** The parts that publish by merge requests, or the setting without which this host has no forge. */
export type HostRequests = RequestPorts | { readonly missing: string }

export const hasForge = (requests: HostRequests): requests is RequestPorts => 'forge' in requests

/** Lists the requests of the branch that this host publishes, the newest first. */
export const listRequests = async (
  { git, forge }: RequestPorts,
  signal: AbortSignal,
): Promise<ReadonlyArray<ForgeRequest> | ForgeStop> => {
  const call: ForgeCall = { _tag: 'ListRequests', sourceBranch: git.branch }
  const { outcome } = await forge(call, forgeCallMs, signal)
  if (outcome._tag === 'Requests') return outcome.requests
  return stopAtForge(reactTo(call, outcome, 0)._tag === 'Stop', describeOutcome(outcome))
}

export const isForgeStop = <A extends object>(found: A | ForgeStop): found is ForgeStop => 'action' in found

/**
 * Publishes the head by the one request of this host. Lists the requests first, so that a request of an earlier
 * process, or one whose opening was not answered, is adopted.
 */
export const publishByRequest = async (
  ports: RequestPorts,
  wish: PublishWish,
  signal: AbortSignal,
): Promise<RequestOutcome> => {
  const { git } = ports
  const listed = await listRequests(ports, signal)
  if (isForgeStop(listed)) return { _tag: 'Failed', ...listed }
  const request = pickPublishRequest(wish.branch, listed)
  const isTakenOver = await git.isTakenOver(wish.head, wish.remote)
  const since = request?.state === 'closed' ? request.sha : null
  const hasNewWrites = since === null || (await git.hasWritesSince(since, wish.head, wish.remote))
  return makeMove(ports, wish, decidePublish({ request, isTakenOver, hasNewWrites }), signal)
}

/** What publishing by merge requests works with. */
interface RequestPorts {
  readonly git: PublishGit
  readonly forge: ForgePort
  readonly town: string
}

/** Why a converge stops at the forge. */
interface ForgeStop {
  readonly action: Extract<SyncAction, 'forge_unanswered' | 'forge_refused'>
  readonly detail: string
}

const forgeCallMs = 20_000

/** Says why a call brought nothing. */
const stopAtForge = (isRefused: boolean, reason: string): ForgeStop =>
  isRefused
    ? { action: 'forge_refused', detail: `The forge refused a call: ${reason}.` }
    : { action: 'forge_unanswered', detail: `A call of the forge brought nothing: ${reason}.` }

/** What is published, and where to: `remote` is the head of the followed branch, which `head` has. */
interface PublishWish {
  readonly branch: string
  readonly head: CommitId
  readonly remote: CommitId
}

/** How publishing by a request ended; `Lost` and `Stopped` as those of a push. */
type RequestOutcome =
  | { readonly _tag: 'Idle' }
  | { readonly _tag: 'Merged'; readonly request: PublishRequest }
  | { readonly _tag: 'Waits'; readonly request: PublishRequest | null; readonly detail: string }
  | { readonly _tag: 'Closed'; readonly request: PublishRequest }
  | {
      readonly _tag: 'Failed'
      readonly action: 'push_rejected' | 'forge_unanswered' | 'forge_refused' | 'failed'
      readonly detail: string
    }
  | { readonly _tag: 'Push'; readonly pushed: Exclude<Pushed, { readonly _tag: 'Pushed' }> }

const showRequest = ({ iid, url, state, mergeStatus }: ForgeRequest): PublishRequest => ({
  iid,
  url,
  state,
  status: mergeStatus,
})

const outcomeOf = (end: RequestPublishEnd): RequestOutcome => {
  switch (end._tag) {
    case 'Merged':
    case 'Closed':
      return { _tag: end._tag, request: showRequest(end.request) }
    case 'Waits': {
      const request = end.request === null ? null : showRequest(end.request)
      const name = request === null ? 'A request' : `Request ${request.iid}`
      return { _tag: 'Waits', request, detail: `${name} is open; the forge says ${end.status}.` }
    }
    case 'Refused':
    case 'Unanswered':
      return { _tag: 'Failed', ...stopAtForge(end._tag === 'Refused', end.reason) }
  }
}

const mergeByForge = async (
  { forge }: RequestPorts,
  goal: RequestPublishGoal,
  open: ForgeRequest | null,
  signal: AbortSignal,
): Promise<RequestOutcome> => {
  let step = beginRequestPublish(goal, open)
  while (step._tag === 'Call') {
    const { outcome } = await forge(step.publish.call, forgeCallMs, signal)
    step = advanceRequestPublish(step.publish, outcome)
  }
  return outcomeOf(step.end)
}

const makeMove = async (
  ports: RequestPorts,
  { branch, head }: PublishWish,
  move: PublishMove,
  signal: AbortSignal,
): Promise<RequestOutcome> => {
  const { git, forge, town } = ports
  switch (move._tag) {
    case 'Nothing':
      return { _tag: 'Idle' }
    case 'Close':
      await forge(closeEmptyRequest(move.request, town), forgeCallMs, signal)
      return { _tag: 'Idle' }
    case 'Refrain':
      return { _tag: 'Closed', request: showRequest(move.request) }
    case 'Push': {
      const pushed = move.open?.sha === head ? { _tag: 'Pushed' as const } : await git.push(head, signal)
      if (pushed._tag !== 'Pushed') return { _tag: 'Push', pushed }
      const goal = { town, sourceBranch: git.branch, targetBranch: branch, sha: head }
      return mergeByForge(ports, goal, move.open, signal)
    }
  }
}
