import type { LandingFailure } from '#src/ports/git/landing.js'
import { diskRefusal } from './disk.js'

export const detached: LandingFailure = { _tag: 'Detached' }

/** The failure for a landing that threw: of the disk, or otherwise with the error's own message. */
export const failureOf = (error: unknown): LandingFailure => {
  const reason = diskRefusal(error)
  if (reason !== null) return { _tag: 'Disk', reason }
  return { _tag: 'Failed', reason: error instanceof Error ? error.message : String(error) }
}
