import { type Either, isLeft, left } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms/commit.js'
import type { LandingFailure } from '#src/ports/git/landing.js'
import { isHeadAt, type LandingContext } from './context.js'
import { mendCheckout } from './mend.js'
import { type LockedWork, runUnderLock } from './under-lock.js'

/** Runs the work under the lock, in a sound checkout whose HEAD is at `base`; `Moved` where HEAD is elsewhere. */
export const holdBase = async <A>(
  context: LandingContext,
  base: CommitId | null,
  work: LockedWork<A>,
): Promise<Either<LandingFailure, A>> => {
  if (!context.isSound) {
    const mended = await mendCheckout(context)
    if (isLeft(mended)) return mended
  }
  return runUnderLock(context, async (held, folder) =>
    (await isHeadAt(context, base)) ? work(held, folder) : left({ _tag: 'Moved' }),
  )
}
