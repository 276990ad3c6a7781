import type { Flip } from '#protocol/fleet/takeover.js'
import type { ForgeRequest } from '#protocol/forge.js'
import { isOfOtherVersion } from '#src/domain/forge/version-line.js'
import type { MergedTakeover } from '../cooldown.js'
import { takeoverBranch } from '../fence.js'

/** The branch that a takeover of the version before the flip has. */
export const branchOfFlip = ({ before: { commit, term, blob } }: Flip): string =>
  takeoverBranch(term, { commit, blob })

/**
 * The takeover that made the flip, by the requests of its branch; null where a person made it. A request that merged
 * this commit made it, also where the commit was made for an earlier version with the same file.
 */
export const findMergedTakeover = (
  { before }: Flip,
  flipCommit: string,
  requests: ReadonlyArray<ForgeRequest>,
): MergedTakeover | null => {
  const done = requests.filter(({ state }) => state === 'merged')
  const merged =
    done.find(({ sha }) => sha === flipCommit) ??
    done.find(({ description }) => !isOfOtherVersion(description, before.commit))
  if (merged === undefined || merged.mergedAtMs === null) return null
  return { mrIid: merged.iid, mrUrl: merged.url, mergedAtMs: merged.mergedAtMs }
}

/** The takeover that made the flip, before the forge has answered in this boot: by the commit alone. */
export const assumeTakeover = ({ isTakeover, dateMs }: Flip): MergedTakeover | null =>
  isTakeover ? { mrIid: null, mrUrl: null, mergedAtMs: dateMs } : null
