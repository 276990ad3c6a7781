import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { LandingFailure } from '#src/ports/landing.js'
import type { ComparedCheckout } from '../checkout/dirty.js'
import { detached, failureOf } from '../failure.js'
import { type GitFolder, isOnBranch } from '../git-folder.js'
import { type HeldIndex, takeIndexLock } from '../index/index-lock.js'
import { type LandingContext, locateGit } from './context.js'

/** The checkout while we hold git's lock on the index. */
export interface LockedCheckout {
  readonly held: HeldIndex
  readonly folder: GitFolder
}

/** The checkout as the lock holds it, to compare it with a commit. */
export const comparedOf = (
  { repo, conversions }: LandingContext,
  { held: { index }, folder }: LockedCheckout,
): ComparedCheckout => ({ repo, folder, index, conversions })

/** Runs work on the checkout. A throw becomes a failure, and the checkout counts as unsound. */
export const runContained = async <A>(
  context: LandingContext,
  work: () => Promise<Either<LandingFailure, A>>,
): Promise<Either<LandingFailure, A>> => {
  try {
    return await work()
  } catch (error) {
    context.isSound = false
    return left(failureOf(error))
  }
}

/** Takes git's lock on the index, where HEAD names a branch. The caller releases it with `unlockIndex`. */
export const lockIndex = (context: LandingContext): Promise<Either<LandingFailure, LockedCheckout>> =>
  runContained(context, async () => {
    const folder = await locateGit(context)
    const held = await takeIndexLock(context.disk, folder, context.lockWaitsMs, context.memory)
    if (held === null) return left({ _tag: 'Locked', lock: `${folder.index}.lock` })
    try {
      if (await isOnBranch(folder)) return right({ held, folder })
    } catch (error) {
      await held.release()
      throw error
    }
    await held.release()
    return left(detached)
  })

/** Releases the lock, unless a recovery has to find it. */
export const unlockIndex = (
  context: LandingContext,
  { held }: LockedCheckout,
): Promise<Either<LandingFailure, void>> => runContained(context, async () => right(await held.release()))

/** Runs work under git's lock on the index. */
export const runUnderLock = async <A>(
  context: LandingContext,
  work: (locked: LockedCheckout) => Promise<Either<LandingFailure, A>>,
): Promise<Either<LandingFailure, A>> => {
  const locked = await lockIndex(context)
  if (isLeft(locked)) return locked
  const done = await runContained(context, () => work(locked.right))
  const unlocked = await unlockIndex(context, locked.right)
  return isLeft(unlocked) ? unlocked : done
}
