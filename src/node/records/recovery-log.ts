import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import type { LandingFailure, Recovered } from '#src/ports/landing.js'
import type { Log } from './log.js'

/** Logs what a crash had left and how it was settled; nothing where nothing was left. */
export const recoveryLog =
  (log: Log) =>
  (found: Either<LandingFailure, Recovered>): void => {
    if (isLeft(found)) log.warn('recovery_failed', found.left)
    else if (found.right.landed.length + found.right.lost.length > 0) log.warn('recovered', found.right)
  }
