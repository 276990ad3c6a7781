import type { Flip } from '#protocol/fleet/takeover-git.js'
import type { ForgeRequest } from '#protocol/forge/answer.js'
import { isOfOtherVersion } from '#src/domain/forge/version-line.js'
import type { MergedTakeover } from '../cooldown.js'
import { takeoverBranch } from '../fence.js'

/** The branch that a takeover of the version before the flip has. */
export const branchOfFlip = ({ before: { commit, term, blob } }: Flip): string =>
  takeoverBranch(term, { commit, blob })

/** The takeover that made the flip, by the requests of its branch; null where a person made it. */
export const findMergedTakeover = (
  { before }: Flip,
  requests: ReadonlyArray<ForgeRequest>,
): MergedTakeover | null => {
  const merged = requests.find(
    ({ state, description }) => state === 'merged' && !isOfOtherVersion(description, before.commit),
  )
  if (merged === undefined || merged.mergedAtMs === null) return null
  return { mrIid: merged.iid, mrUrl: merged.url, mergedAtMs: merged.mergedAtMs }
}

/** The takeover that made the flip, before the forge has answered in this boot: by the commit alone. */
export const assumeTakeover = ({ isTakeover, dateMs }: Flip): MergedTakeover | null =>
  isTakeover ? { mrIid: null, mrUrl: null, mergedAtMs: dateMs } : null
