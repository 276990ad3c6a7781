import { relative } from 'node:path'
import type { RepositoryStands } from '#src/adapters/git/repository-stands.js'
import type { CheckoutSight, LookAtCheckout } from '#src/ports/git/checkout-watch.js'
import { type GitFolder, gitFolder, isOnBranch } from '../git-folder.js'
import { inodeOf, isOwnLock } from '../index/index-lock.js'
import { type DirtyFinderOptions, dirtyFinder } from './dirty-finder.js'

export interface CheckoutWatchOptions extends DirtyFinderOptions {
  readonly stands: RepositoryStands
  /**
   * Whether the first look reports a lock; otherwise the second one that sees it does, because git holds it
   * only briefly.
   */
  readonly atOnce: boolean
}

const gone: CheckoutSight = { gone: true, detached: false, lock: null, dirty: null }

/**
 * Opens a watch on a git checkout: whether it exists, which program locks its index, and which files block
 * writes.
 */
export const openCheckoutWatch = (options: CheckoutWatchOptions): LookAtCheckout => {
  const { repo, stands: isThere, atOnce } = options
  const findDirty = dirtyFinder(options)
  let folder: GitFolder | null = null
  let lockBefore: bigint | null = null
  const lockNow = async (known: GitFolder): Promise<string | null> => {
    const inode = await inodeOf(`${known.index}.lock`)
    const lock = inode !== null && !(await isOwnLock(known)) ? inode : null
    const isTold = lock !== null && (atOnce || lock === lockBefore)
    lockBefore = lock
    return isTold ? relative(repo, `${known.index}.lock`) : null
  }
  return async files => {
    if (!(await isThere())) return gone
    folder = folder ?? (await gitFolder(repo))
    const detached = !(await isOnBranch(folder))
    return { gone: false, detached, lock: await lockNow(folder), dirty: await findDirty(folder, files) }
  }
}
