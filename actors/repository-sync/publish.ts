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
import { closedEnactments, type LedgerLine, nameOfLine } from '#src/domain/points/enacted-rows.js'
import type { ForgePort } from '#src/ports/fleet.js'
import type { PublishGit, Pushed } from '#src/ports/git.js'
import type { ClosedRequest } from './state.js'

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
  const closed = request?.state === 'closed' ? await takeBackClosed(ports, wish, request) : null
  if (request !== null && closed !== null && (closed.isMade || closed.blocked !== null))
    return { _tag: 'Closed', request: showRequest(request), closed }
  const isTakenOver = await git.isTakenOver(wish.head, wish.remote)
  const since = request?.state === 'closed' ? request.sha : null
  const hasNewWrites = since === null || (await git.hasWritesSince(since, wish.head, wish.remote))
  const outcome = await makeMove(ports, wish, decidePublish({ request, isTakenOver, hasNewWrites }), signal)
  return outcome._tag === 'Closed' || outcome._tag === 'Idle' ? { ...outcome, closed } : outcome
}

/** What publishing by merge requests works with. */
interface RequestPorts {
  readonly git: PublishGit
  readonly forge: ForgePort
  readonly town: string
  /** Commits the change that takes back enactments of a closed request; returns why not, or null. Never rejects. */
  readonly takeBack: (iid: number, lines: ReadonlyArray<LedgerLine>) => Promise<string | null>
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
  | { readonly _tag: 'Idle'; readonly closed: ClosedRequest | null }
  | { readonly _tag: 'Merged'; readonly request: PublishRequest }
  | { readonly _tag: 'Waits'; readonly request: PublishRequest | null; readonly detail: string }
  | { readonly _tag: 'Closed'; readonly request: PublishRequest; readonly closed: ClosedRequest | null }
  | {
      readonly _tag: 'Failed'
      readonly action: 'push_rejected' | 'forge_unanswered' | 'forge_refused' | 'failed'
      readonly detail: string
    }
  | { readonly _tag: 'Push'; readonly pushed: Exclude<Pushed, { readonly _tag: 'Pushed' }> }

/**
 * Takes back what a request that a person closed would have enacted. It comes before every other request, because the
 * next one has the commits of this one too. Null: the request had no enactment.
 */
const takeBackClosed = async (
  { git, takeBack }: RequestPorts,
  { head, remote }: PublishWish,
  { iid, sha }: ForgeRequest,
): Promise<ClosedRequest | null> => {
  const [here, published] = [await git.ledgersAt(head), await git.ledgersAt(remote)]
  if (here === null || published === null) return null
  const had = sha === null ? null : await git.ledgersAt(sha)
  const { standing, gone } = closedEnactments(had ?? here, here, published)
  if (standing.length === 0 && gone.length === 0) return null
  const names = [...gone, ...standing].map(nameOfLine)
  if (had === null) return { iid, names, isMade: false, blocked: describeUnknown(iid) }
  if (standing.length === 0) return { iid, names, isMade: false, blocked: null }
  const blocked = await takeBack(iid, standing)
  return { iid, names, isMade: blocked === null, blocked }
}

const describeUnknown = (iid: number): string =>
  `Request ${iid} was closed at a commit that this host does not have, so it cannot tell what to take back. ` +
  'Reopen the request, or merge its branch.'

const showRequest = ({ iid, url, state, mergeStatus }: ForgeRequest): PublishRequest => ({
  iid,
  url,
  state,
  status: mergeStatus,
})

const outcomeOf = (end: RequestPublishEnd): RequestOutcome => {
  switch (end._tag) {
    case 'Merged':
      return { _tag: 'Merged', request: showRequest(end.request) }
    case 'Closed':
      return { _tag: 'Closed', request: showRequest(end.request), closed: null }
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
      return { _tag: 'Idle', closed: null }
    case 'Close':
      await forge(closeEmptyRequest(move.request, town), forgeCallMs, signal)
      return { _tag: 'Idle', closed: null }
    case 'Refrain':
      return { _tag: 'Closed', request: showRequest(move.request), closed: null }
    case 'Push': {
      const pushed = move.open?.sha === head ? { _tag: 'Pushed' as const } : await git.push(head, signal)
      if (pushed._tag !== 'Pushed') return { _tag: 'Push', pushed }
      const goal = { town, sourceBranch: git.branch, targetBranch: branch, sha: head }
      return mergeByForge(ports, goal, move.open, signal)
    }
  }
}
