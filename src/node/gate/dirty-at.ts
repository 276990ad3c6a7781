import { isLeft } from 'fp-ts/lib/Either.js'
import type { AdoptPorts } from '#actors/write-gate/adopt.js'
import type { Landing } from '#src/ports/git/landing.js'

/**
 * Asks a landing which files are dirty, between two of its own moves: a write that is under way does not look like the
 * work of a person. Empty where HEAD left the base, or names no branch.
 */
export const dirtyAt =
  ({ between }: Pick<Landing, 'between'>): NonNullable<AdoptPorts['dirtyNow']> =>
  (base, files) =>
    between(async dirty => {
      const found = await dirty(base, files)
      return isLeft(found) ? [] : [...found.right].sort()
    })
