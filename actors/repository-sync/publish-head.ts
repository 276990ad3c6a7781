import type { CommitId } from '#protocol/atoms.js'
import type { ForgeMerge } from '#protocol/host/forge.js'
import { listForgeMerges } from '#src/domain/forge/publish-request.js'
import type { Fetched, PublishGit, Pushed } from '#src/ports/git.js'
import { type AttemptPorts, type Done, loseAttempt, stopAttempt } from './join-remote.js'
import { hasForge, isForgeStop, listRequests, publishByRequest } from './publish.js'
import type { ClosedRequest, ConvergeOutcome, ReachedOutcome } from './state.js'

/** Fetched commits, and the ports to integrate them with. */
export interface Fetch {
  readonly fetched: Fetched
  readonly ports: AttemptPorts
}

/**
 * Finds out, before a merge in mode `mr`, whether the forge squashed commits of this host. A merge without that
 * knowledge takes the squash for a change of others, and what this host wrote later for a conflict with it. So
 * nothing is merged while the forge does not answer.
 */
export const learnSquashes = async (
  ports: AttemptPorts,
  fetched: Fetched,
  signal: AbortSignal,
): Promise<Fetch | ConvergeOutcome> => {
  const { requests } = ports
  if (fetched.incoming === 0 || fetched.outgoing === 0 || !hasForge(requests)) return { fetched, ports }
  const listed = await listRequests(requests, signal)
  if (isForgeStop(listed)) return stopAttempt(listed.action, listed.detail)
  const merges = listForgeMerges(fetched.branch, listed)
  return {
    fetched: await requests.git.joinSquash(fetched, merges),
    ports: joinSquashes(ports, requests.git, merges),
  }
}

/** Everything of the remote is in `head`, and nothing waits for a request. */
export const reach = (done: Done, head: CommitId, sent: number, unpublished: number): ReachedOutcome => ({
  ...done,
  _tag: 'Reached',
  head,
  sent,
  unpublished,
  request: null,
  detail: null,
  closed: null,
})

export const publishHead = async (
  ports: AttemptPorts,
  fetched: Fetched,
  head: CommitId,
  done: Done,
  signal: AbortSignal,
): Promise<ConvergeOutcome> => {
  const sent = fetched.outgoing + (done.merged ? 1 : 0)
  if (head === fetched.remote || sent === 0) return reach(done, head, 0, 0)
  const push = await ports.timed('push', () => ports.remote.push(fetched.branch, head, signal))
  return push._tag === 'Pushed' ? reach(done, head, sent, 0) : endOfPush(push, done)
}

/** Publishes by a merge request; the branch of the remote itself is never pushed (S15). */
export const publishHeadByRequest = async (
  { requests, timed }: AttemptPorts,
  { branch, remote, outgoing }: Fetched,
  head: CommitId,
  done: Done,
  signal: AbortSignal,
): Promise<ConvergeOutcome> => {
  const unpublished = outgoing + (done.merged ? 1 : 0)
  if (head === remote || unpublished === 0) return reach(done, head, 0, 0)
  if (!hasForge(requests)) return stopAttempt('forge_refused', requests.missing, done)
  if (remote === null) return stopAttempt('failed', `The remote has no branch ${branch}; push it once.`, done)
  const ended = await timed('push', () => publishByRequest(requests, { branch, head, remote }, signal))
  switch (ended._tag) {
    case 'Idle':
      return { ...reach(done, head, 0, 0), closed: ended.closed }
    case 'Merged':
      return { ...reach(done, head, unpublished, 0), request: ended.request }
    case 'Waits':
      return { ...reach(done, head, 0, unpublished), request: ended.request, detail: ended.detail }
    case 'Closed': {
      const { request, closed } = ended
      const detail = `A person closed request ${request.iid}; ${describeClosed(closed)}`
      return { ...reach(done, head, 0, unpublished), request, detail, closed }
    }
    case 'Failed':
      return stopAttempt(ended.action, ended.detail, done)
    case 'Push':
      return ended.pushed._tag === 'Behind'
        ? stopAttempt('push_rejected', describeForeign(requests.git.branch), done)
        : endOfPush(ended.pushed, done)
  }
}

/** The ports with a remote whose head joins the squashes of the forge; `merges` are those of the forge. */
const joinSquashes = (
  ports: AttemptPorts,
  git: PublishGit,
  merges: ReadonlyArray<ForgeMerge>,
): AttemptPorts => ({
  ...ports,
  remote: {
    ...ports.remote,
    compare: async branch => {
      const fetched = await ports.remote.compare(branch)
      return fetched._tag === 'Failed' ? fetched : git.joinSquash(fetched, merges)
    },
  },
})

/** How a push that did not arrive ends the attempt. */
const endOfPush = (push: Exclude<Pushed, { readonly _tag: 'Pushed' }>, done: Done): ConvergeOutcome => {
  switch (push._tag) {
    case 'Behind':
      return loseAttempt('remote', 'Another host published first.', done)
    case 'Unknown':
      return loseAttempt('silence', push.detail, done)
    case 'Failed':
      return stopAttempt(push.action, push.detail, done)
  }
}

const describeClosed = (closed: ClosedRequest | null): string => {
  if (closed === null) return 'the commits wait here.'
  const names = closed.names.join(', ')
  if (closed.blocked === null) return `this host took back ${names}; the other commits wait here.`
  return `this host could not take back ${names} and publishes nothing. ${closed.blocked}`
}

const describeForeign = (branch: string): string =>
  `The branch ${branch} of the remote has commits that this host does not have. Merge or delete it there.`
