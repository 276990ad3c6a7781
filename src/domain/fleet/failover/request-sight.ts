import type { ForgeOutcome } from '#protocol/forge.js'
import { pickRequest } from '#src/domain/forge/pick-request.js'

/**
 * What the forge shows of the requests for a version of the topology. `vetoed`: a person closed one. `unknown`: the
 * look failed.
 */
export interface RequestSight {
  readonly seen: 'none' | 'open' | 'merged' | 'vetoed' | 'unknown'
  readonly iid: number | null
}

/** Reads the answer to the list of the requests of a takeover's branch. */
export const seeRequests = (
  outcome: ForgeOutcome,
  version: string,
  targetBranch: string | null,
): RequestSight => {
  if (outcome._tag !== 'Requests') return { seen: 'unknown', iid: null }
  const picked = pickRequest({ version, targetBranch }, outcome.requests)
  if (picked === null) return { seen: 'none', iid: null }
  const { iid, state } = picked
  if (state === 'merged') return { seen: 'merged', iid }
  return { seen: state === 'closed' ? 'vetoed' : 'open', iid }
}
