import type { LandingFailure } from '#src/ports/landing.js'
import { diskRefusal } from './disk.js'

/** What is committed while HEAD names no branch would be on none when that ends. */
export const detached: LandingFailure = {
  _tag: 'Failed',
  reason: 'HEAD is on no branch: end the rebase or bisect that is under way, or check out the branch',
}

/** Why a landing ended by a throw: the disk, or else in its own words. */
export const failureOf = (error: unknown): LandingFailure => {
  const reason = diskRefusal(error)
  if (reason !== null) return { _tag: 'Disk', reason }
  return { _tag: 'Failed', reason: error instanceof Error ? error.message : String(error) }
}
