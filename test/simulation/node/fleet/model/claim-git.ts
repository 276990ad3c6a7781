import { isLeft } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms.js'
import type { FetchedClaim } from '#protocol/fleet/takeover.js'
import { takeoverTrailer } from '#src/domain/fleet/takeover-run.js'
import { topologyPath } from '#src/domain/fleet/topology.js'
import type { Pushed, RemoteFailure, TakeoverGit } from '#src/ports/git.js'
import type { Objects } from '#test/simulation/node/objects.js'
import type { RemoteLink } from '#test/simulation/node/sim-remote.js'
import type { SimRepository } from '#test/simulation/node/sim-repository.js'
import type { Life, Weather } from '#test/simulation/node/weather.js'
import type { FleetHistory } from './fleet-history.js'
import { readPlainTopology } from './topology-files.js'

export interface ClaimGitParts {
  readonly life: Life
  readonly weather: Weather
  readonly link: RemoteLink
  readonly objects: Objects
  readonly history: FleetHistory
  readonly origin: SimRepository
  readonly claims: Map<string, CommitId>
  /** A call begins. */
  readonly began: () => void
  /** The followed branch is read. */
  readonly fetched: () => void
}

const cut: RemoteFailure = { _tag: 'Failed', action: 'unreachable', detail: 'the link is cut' }
const silence: Pushed = { _tag: 'Unknown', detail: 'no answer in time' }

const commitOf = (text: string): CommitId => {
  const commit = CommitId.decode(text)
  if (isLeft(commit)) throw new Error(`no commit ${text}`)
  return commit.right
}

/** The branch of the takeover that made a commit. */
const takeoverOf = (message: string): string | null =>
  new RegExp(`^${takeoverTrailer}: (.+)$`, 'mu').exec(message)?.[1] ?? null

/** Paths that a commit has otherwise than its base. */
const findChangedPaths = (objects: Objects, base: CommitId, commit: CommitId): ReadonlyArray<string> => {
  const [before, after] = [objects.get(base).files, objects.get(commit).files]
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    path => before.get(path) !== after.get(path),
  )
}

/** The contract of `TakeoverGit` over branches of values; the answer to a push may be lost on its way. */
export const simClaimGit = (parts: ClaimGitParts): TakeoverGit => {
  const { life, weather, link, objects, history, origin, claims } = parts
  const readClaim = (branch: string, tip: CommitId): FetchedClaim | null => {
    const commit = claims.get(branch)
    if (commit === undefined) return null
    const base = objects.mergeBase(tip, commit)
    const paths = findChangedPaths(objects, base, commit)
    return {
      commit,
      apex: readPlainTopology(history.textAt(commit))?.apex ?? null,
      isMerged: base === commit,
      isPlain: paths.length === 1 && paths[0] === topologyPath,
    }
  }
  const arrive = (branch: string, commit: CommitId): boolean => {
    const now = claims.get(branch)
    if (now !== undefined && !objects.isAncestor(now, commit)) return false
    claims.set(branch, commit)
    return true
  }
  /** A claim that replaced another one of its branch has the change before that one. */
  const findChangeBefore = (change: CommitId, takeover: string | null): CommitId | null => {
    const [parent] = objects.get(change).parents
    const before = parent === undefined ? null : history.lastChange(parent)
    if (before === null || takeover === null) return before
    return takeoverOf(objects.get(before).message) === takeover ? findChangeBefore(before, takeover) : before
  }
  return {
    fetch: async claimBranch => {
      parts.began()
      await weather.step(life, 'claim fetch')
      if (!link.sends() || !link.receives()) return cut
      parts.fetched()
      const tip = origin.head
      const [commit, blob, text] = [history.lastChange(tip), history.blobAt(tip), history.textAt(tip)]
      const topology =
        commit === null || blob === null || text === undefined ? null : { fence: { commit, blob }, text }
      return { _tag: 'Claims', branch: 'main', tip, topology, claim: readClaim(claimBranch, tip) }
    },
    push: async ({ branch, parent, text, message }) => {
      const base = objects.get(commitOf(parent))
      const files = new Map(base.files).set(topologyPath, text)
      const { id: commit } = objects.make({ parents: [base.id], files, message })
      await weather.step(life, 'claim push sent')
      if (!link.sends()) return cut
      if (!arrive(branch, commit)) return { commit, pushed: { _tag: 'Behind' } }
      await weather.step(life, 'claim push answered')
      return { commit, pushed: link.receives() ? { _tag: 'Pushed' } : silence }
    },
    readFlip: fenceCommit => {
      const { id, message } = objects.get(commitOf(fenceCommit))
      const takeover = takeoverOf(message)
      const commit = findChangeBefore(id, takeover)
      const blob = commit === null ? null : history.blobAt(commit)
      const before = commit === null ? null : readPlainTopology(history.textAt(commit))
      if (commit === null || blob === null || before === null) return Promise.resolve(null)
      return Promise.resolve({
        before: { commit, term: before.term, blob },
        isTakeover: takeover !== null,
        dateMs: history.dateMs(id),
      })
    },
  }
}
