import type { ClaimCommit, FetchedClaim, TakeoverJob } from '#protocol/fleet/takeover.js'
import { flipTopology } from '../topology.js'
import { topologyFileOf } from '../topology-file.js'
import type { FetchedFleet } from './action.js'
import { branchOfJob, claimMessage } from './texts.js'

export type ClaimDecision =
  /** The branch names a town that can be the apex: its request is merged as it is. */
  | { readonly _tag: 'Adopt'; readonly commit: string; readonly town: string }
  | { readonly _tag: 'Push'; readonly claim: ClaimCommit }
  | { readonly _tag: 'Foreign' }
  /** The file does not list the town of the job, or could not be read after a flip. */
  | { readonly _tag: 'Unlisted' }

const pushOn = (parent: string, job: TakeoverJob, found: FetchedFleet): ClaimDecision => {
  const { topology } = found
  const file = topology === null ? null : topologyFileOf(topology.text, topology.fence.blob)
  const text = file === null ? null : flipTopology(file, job.town)
  if (text === null) return { _tag: 'Unlisted' }
  return { _tag: 'Push', claim: { branch: branchOfJob(job), parent, text, message: claimMessage(job) } }
}

/** The town that the branch names, if it can become the apex; else null. */
const townToFinish = (
  { apex }: FetchedClaim,
  job: TakeoverJob,
  { candidates }: FetchedFleet,
): string | null => (apex !== null && (apex === job.town || candidates.includes(apex)) ? apex : null)

/**
 * Decides what the branch of the takeover needs: nothing where it names a town that is eligible and alive, else a
 * commit that names the town of the job. That commit is a child of the branch, so its push is a fast-forward and
 * the request stays the same. The file is flipped from the version of the fence, so the term rises once.
 */
export const decideClaim = (job: TakeoverJob, found: FetchedFleet): ClaimDecision => {
  const { claim, tip } = found
  if (claim === null || claim.isMerged) return pushOn(tip, job, found)
  if (!claim.isPlain) return { _tag: 'Foreign' }
  const town = townToFinish(claim, job, found)
  return town === null ? pushOn(claim.commit, job, found) : { _tag: 'Adopt', commit: claim.commit, town }
}
