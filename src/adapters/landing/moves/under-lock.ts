import { type Either, left } from 'fp-ts/lib/Either.js'
import type { LandingFailure } from '#src/ports/git/landing.js'
import { detached, failureOf } from '../failure.js'
import { type GitFolder, isOnBranch } from '../git-folder.js'
import { type HeldIndex, holdIndex } from '../index/index-lock.js'
import { type LandingContext, locateGit } from './context.js'

/** What is done while git's lock on the index is ours and HEAD names a branch. */
export type LockedWork<A> = (held: HeldIndex, folder: GitFolder) => Promise<Either<LandingFailure, A>>

/** Runs the work under git's lock on the index. What it throws is a failure, and the checkout is no longer sound. */
export const runUnderLock = async <A>(
  context: LandingContext,
  work: LockedWork<A>,
): Promise<Either<LandingFailure, A>> => {
  try {
    const folder = await locateGit(context)
    const held = await holdIndex(context.disk, folder, context.lockWaitsMs, context.memory)
    if (held === null) return left({ _tag: 'Locked', lock: `${folder.index}.lock` })
    try {
      return (await isOnBranch(folder)) ? await work(held, folder) : left(detached)
    } finally {
      await held.release()
    }
  } catch (error) {
    context.isSound = false
    return left(failureOf(error))
  }
}
