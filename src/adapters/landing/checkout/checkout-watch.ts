import type { CheckoutFault } from '#protocol/discovery.js'
import type { RepositoryStands } from '#src/adapters/git/repository-stands.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { CheckoutSight, LookAtCheckout } from '#src/ports/git.js'
import { type GitFolder, gitFolder, isOnBranch } from '../git-folder.js'
import { openFaultFinder } from './checkout-faults.js'
import { openConversions } from './conversions.js'
import { type DirtyFinderOptions, dirtyFinder } from './dirty-finder.js'

export interface CheckoutWatchOptions extends DirtyFinderOptions {
  readonly stands: RepositoryStands
  /** Whether the first look reports a lock; otherwise one that has been there for 5 s is reported. */
  readonly atOnce: boolean
  readonly monotonicMs?: () => number
}

const gone: CheckoutSight = { gone: true, detached: false, faults: [], dirty: null }

const hidesFiles = ({ code }: CheckoutFault): boolean => code === 'index_unreadable'

/**
 * Opens a watch on a git checkout: whether it exists, what blocks writes of its git, and which files block writes.
 */
export const openCheckoutWatch = (options: CheckoutWatchOptions): LookAtCheckout => {
  const { repo, stands: isThere, atOnce, monotonicMs = realClock.monotonicMs } = options
  const findDirty = dirtyFinder(options)
  const findFaults = openFaultFinder({ repo, conversions: openConversions(repo), monotonicMs, atOnce })
  let folder: GitFolder | null = null
  return async files => {
    if (!(await isThere())) return gone
    folder = folder ?? (await gitFolder(repo))
    const detached = !(await isOnBranch(folder))
    const faults = await findFaults(folder, files)
    // Nothing can be compared with an index that no host reads.
    const dirty = faults.some(hidesFiles) ? null : await findDirty(folder, files)
    return { gone: false, detached, faults, dirty }
  }
}
