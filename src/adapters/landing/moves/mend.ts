import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms.js'
import type { Landed, LandingFailure, Recovered } from '#src/ports/landing.js'
import type { Intent, Intents } from '#src/ports/records.js'
import { sweepChores } from '../chores.js'
import { failureOf } from '../failure.js'
import { hidePathsOfFailure } from '../hide-host-paths.js'
import { isOwnLock } from '../index/index-lock.js'
import type { Sealed } from '../objects/seal.js'
import { isLittered, recoverIntents } from '../recovery.js'
import { type LandingContext, locateGit } from './context.js'
import { runUnderLock } from './under-lock.js'

const nothing: Recovered = { landed: [], lost: [], left: [] }
const idOf = ({ id }: Intent): string => id

/** Whether no intent and no lock of a landing is left, so that no recovery needs git's locks. */
const isAtRest = async (context: LandingContext, intents: Intents): Promise<boolean> => {
  if (intents.prepared().length > 0) return false
  const folder = await locateGit(context)
  return !(await isLittered(context.area, folder)) && !(await isOwnLock(folder))
}

const endOpen = (context: LandingContext, intents: Intents): Promise<Either<LandingFailure, Recovered>> =>
  runUnderLock(context, async ({ held, folder }) => {
    const { disk, repo, area, objects, conversions } = context
    const ports = { disk, repo, area, folder, intents, objects, conversions }
    const found = await recoverIntents(ports, held)
    return right({ ...found, landed: found.landed.map(idOf), lost: found.lost.map(idOf) })
  })

/** Completes what a crash or a fault left unfinished. The checkout is sound when it succeeds. */
export const mendCheckout = async (context: LandingContext): Promise<Either<LandingFailure, Recovered>> => {
  const { disk, repo, intents, lifeMs } = context
  if (intents === null) return right(nothing)
  try {
    await sweepChores(disk, repo, () => locateGit(context), lifeMs)
    const outcome = (await isAtRest(context, intents)) ? right(nothing) : await endOpen(context, intents)
    if (!isLeft(outcome)) context.isSound = true
    return outcome
  } catch (error) {
    return left(failureOf(error))
  }
}

/**
 * Repeats a failed refresh at once, so that a person's git need not wait for our lock until the next write.
 */
export const finishSealed = async (
  context: LandingContext,
  sealed: Sealed,
  commits: ReadonlyArray<CommitId>,
): Promise<Landed> => {
  const landed = { commits, left: sealed.left }
  if (sealed.unfinished === null) return landed
  context.isSound = false
  const mended = await mendCheckout(context)
  if (context.intents === null || isLeft(mended))
    return { ...landed, unfinished: hidePathsOfFailure(context.repo, failureOf(sealed.unfinished)) }
  return { commits, left: mended.right.left }
}
