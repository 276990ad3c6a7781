import type { CommitId } from '#protocol/atoms.js'
import type { ForgeCall, ForgeOutcome, ForgeRequest } from '#protocol/host/forge.js'
import { topologyPath } from '#src/domain/fleet/topology.js'
import type { Objects } from '#test/simulation/node/objects.js'
import type { SimRepository } from '#test/simulation/node/sim-repository.js'

/** A merge request as the forge keeps it. */
export interface SimRequest extends ForgeRequest {
  readonly openedAtMs: number
  /** The hosts that opened and merged it; a person has the name `person`. */
  readonly openedBy: string
  readonly mergedBy: string | null
  readonly closedBy: string | null
}

export interface ForgeParts {
  readonly objects: Objects
  readonly origin: SimRepository
  /** Branches of takeovers, beside the followed one. */
  readonly claims: ReadonlyMap<string, CommitId>
  /** The clock of the forge, which is the true time. */
  readonly nowMs: () => number
  /** How long the forge checks a new request. */
  readonly checksMs: () => number
  readonly opened: (request: SimRequest) => void
  /** The followed branch moved by a merge. */
  readonly merged: (request: SimRequest, from: CommitId, to: CommitId) => void
  readonly closed: (request: SimRequest) => void
}

/** The project of the lore at the forge. */
export interface SimForge {
  readonly requests: () => ReadonlyArray<SimRequest>
  /** Performs a call of a host. */
  readonly perform: (by: string, call: ForgeCall) => ForgeOutcome
  /** A person closes an open request, or merges it. */
  readonly veto: (iid: number) => void
}

const target = 'main'

export const openSimForge = (parts: ForgeParts): SimForge => {
  const { objects, origin, claims, nowMs } = parts
  let requests: ReadonlyArray<SimRequest> = []
  const change = (iid: number, changed: Partial<SimRequest>): void => {
    requests = requests.map(one => (one.iid === iid ? { ...one, ...changed } : one))
  }
  const find = (iid: number): SimRequest | undefined => requests.find(one => one.iid === iid)
  const textAt = (commit: CommitId): string | undefined => objects.get(commit).files.get(topologyPath)
  const hasConflict = (claim: CommitId): boolean => {
    const base = textAt(objects.mergeBase(origin.head, claim))
    const [ours, theirs] = [textAt(origin.head), textAt(claim)]
    return ours !== base && theirs !== base && ours !== theirs
  }
  const statusOf = ({ state, openedAtMs }: SimRequest, claim: CommitId): string => {
    if (state !== 'opened') return 'not_open'
    if (nowMs() - openedAtMs < parts.checksMs()) return 'checking'
    if (objects.isAncestor(claim, origin.head)) return 'commits_status'
    return hasConflict(claim) ? 'conflict' : 'mergeable'
  }
  const show = (request: SimRequest): SimRequest => {
    const claim = claims.get(request.sourceBranch)
    if (request.state === 'merged' || claim === undefined) return request
    return { ...request, sha: claim, mergeStatus: statusOf(request, claim) }
  }
  const read = (iid: number): ForgeOutcome => {
    const found = find(iid)
    return found === undefined ? { _tag: 'Missing' } : { _tag: 'Request', request: show(found) }
  }
  const open = (by: string, call: Extract<ForgeCall, { _tag: 'OpenRequest' }>): ForgeOutcome => {
    const { sourceBranch, targetBranch, description } = call
    const sha = claims.get(sourceBranch)
    if (sha === undefined) return { _tag: 'Refused', status: 400 }
    if (requests.some(one => one.state === 'opened' && one.sourceBranch === sourceBranch))
      return { _tag: 'Conflict' }
    const iid = requests.length + 1
    const request: SimRequest = {
      iid,
      url: `https://forge.example/lore/-/merge_requests/${iid}`,
      state: 'opened',
      sourceBranch,
      targetBranch,
      sha,
      description,
      mergeStatus: 'checking',
      mergedAtMs: null,
      mergeCommit: null,
      openedAtMs: nowMs(),
      openedBy: by,
      mergedBy: null,
      closedBy: null,
    }
    requests = [...requests, request]
    parts.opened(request)
    return read(iid)
  }
  /** The commit of the merge: everything of the followed branch, and the file as the claim has it. */
  const join = (branch: string, claim: CommitId): CommitId => {
    const [ours, theirs] = [objects.get(origin.head), objects.get(claim)]
    const base = textAt(objects.mergeBase(origin.head, claim))
    const text = theirs.files.get(topologyPath)
    const files = new Map(ours.files)
    if (text !== undefined && text !== base) files.set(topologyPath, text)
    const message = `Merge branch '${branch}' into '${target}'\n`
    return objects.make({ parents: [origin.head, claim], files, message }).id
  }
  const merge = (by: string, iid: number, sha: string): ForgeOutcome => {
    const request = find(iid)
    if (request === undefined) return { _tag: 'Missing' }
    const claim = claims.get(request.sourceBranch)
    if (claim === undefined || statusOf(request, claim) !== 'mergeable') return { _tag: 'NotMergeable' }
    if (claim !== sha) return { _tag: 'Conflict' }
    const from = origin.head
    origin.head = join(request.sourceBranch, claim)
    change(iid, { state: 'merged', sha, mergedAtMs: nowMs(), mergeCommit: origin.head, mergedBy: by })
    const merged = find(iid)
    if (merged !== undefined) parts.merged(merged, from, origin.head)
    return read(iid)
  }
  const close = (by: string, iid: number, description: string | null): ForgeOutcome => {
    const request = find(iid)
    if (request === undefined) return { _tag: 'Missing' }
    change(iid, description === null ? {} : { description })
    if (request.state !== 'opened') return read(iid)
    change(iid, { state: 'closed', closedBy: by })
    parts.closed({ ...request, state: 'closed', closedBy: by })
    return read(iid)
  }
  return {
    requests: () => requests,
    veto: iid => void close('person', iid, null),
    perform: (by, call) => {
      switch (call._tag) {
        case 'OpenRequest':
          return open(by, call)
        case 'ListRequests': {
          const found = requests.filter(one => one.sourceBranch === call.sourceBranch).map(show)
          return { _tag: 'Requests', requests: found.slice(-20).reverse() }
        }
        case 'ReadRequest':
          return read(call.iid)
        case 'MergeRequest':
          return merge(by, call.iid, call.sha)
        case 'CloseRequest':
          return close(by, call.iid, call.description)
        case 'StartPipeline':
        case 'ReadPipeline':
        case 'ListJobs':
        case 'ActOnJob':
        case 'ReadTrace':
          return { _tag: 'Missing' }
      }
    },
  }
}
