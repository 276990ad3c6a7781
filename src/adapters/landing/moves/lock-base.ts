import { type Either, isLeft, left } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms.js'
import type { LandingFailure } from '#src/ports/landing.js'
import { isHeadAt, type LandingContext } from './context.js'
import { mendCheckout } from './mend.js'
import { type LockedCheckout, lockIndex, runContained, unlockIndex } from './under-lock.js'

/**
 * Takes git's lock on the index, in a sound checkout whose HEAD is at `base`; `Moved` where HEAD is
 * elsewhere. The caller releases it with `unlockIndex`.
 */
export const lockBase = async (
  context: LandingContext,
  base: CommitId | null,
): Promise<Either<LandingFailure, LockedCheckout>> => {
  if (!context.isSound) {
    const mended = await mendCheckout(context)
    if (isLeft(mended)) return mended
  }
  const locked = await lockIndex(context)
  if (isLeft(locked)) return locked
  const checked = await runContained(context, async () =>
    (await isHeadAt(context, base)) ? locked : left<LandingFailure>({ _tag: 'Moved' }),
  )
  if (!isLeft(checked)) return checked
  const unlocked = await unlockIndex(context, locked.right)
  return isLeft(unlocked) ? unlocked : checked
}
