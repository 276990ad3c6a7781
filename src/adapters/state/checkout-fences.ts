import { join, relative } from 'node:path'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { type Fence, type FenceHeld, fenceHolder, takeFence } from './fence.js'
import { folderBesideGit } from './state-area.js'
import { type StateTrouble, stateTrouble } from './state-trouble.js'

/**
 * The folders whose fences a process takes for one checkout (docs/spec/running.md#one-host), in this order.
 * The first is in the git directory of the checkout (a linked worktree has its own), so that removing the
 * state area does not free the checkout; a plain directory has none.
 */
const fenceFolders = (repo: string, state: string): ReadonlyArray<string> => {
  const beside = folderBesideGit(repo)
  const inside = join(repo, '.svc/state')
  return [...(beside === null ? [] : [beside]), inside, ...(relative(inside, state) === '' ? [] : [state])]
}

/**
 * Takes every fence of a checkout, or none. Left: which process holds one of them, or why a folder is not
 * writable. Creates the state area unless the fence in the git directory is held.
 */
export const takeCheckoutFences = (
  repo: string,
  state: string,
  who: string,
): Either<FenceHeld | StateTrouble, Fence> => {
  const taken: Array<Fence> = []
  const beside = folderBesideGit(repo)
  const release = (): void => {
    for (const fence of taken) fence.release()
  }
  for (const folder of fenceFolders(repo, state)) {
    try {
      const fence = takeFence(folder, who)
      if ('holder' in fence) {
        release()
        return left(fence)
      }
      taken.push(fence)
    } catch (error) {
      // The git directory and the state area elsewhere are fenced; writes report what they cannot use there.
      if (folder !== state && folder !== beside && beside !== null) continue
      release()
      return left(stateTrouble(folder, error))
    }
  }
  return right({ release })
}

/** The process that holds a checkout or its state area now; null where there is none. Creates nothing. */
export const checkoutHolder = (repo: string, state: string): string | null => {
  for (const folder of fenceFolders(repo, state)) {
    const holder = fenceHolder(folder)
    if (holder !== null) return holder
  }
  return null
}
