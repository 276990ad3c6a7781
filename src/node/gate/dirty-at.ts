import { type Either, isLeft, left } from 'fp-ts/lib/Either.js'
import type { AdoptPorts } from '#actors/write-gate/adopt.js'
import type { CommitId, RepoPath } from '#protocol/atoms.js'
import type { Landing, LandingBusy, LandingFailure, TouchedFile } from '#src/ports/landing.js'

type Looking = Pick<Landing, 'look' | 'ended'>

/** The most landings of this host that may intervene before a look gives up. */
const busyMax = 32

/**
 * Finds the dirty files between two landings of this host, so that a running write does not look like a
 * person's work. Looks again after each landing that intervened.
 */
export const lookBetween = async (
  { look, ended }: Looking,
  base: CommitId | null,
  files: ReadonlyArray<TouchedFile>,
): Promise<Either<LandingFailure, ReadonlySet<RepoPath>>> => {
  for (let looks = 0; looks < busyMax; looks += 1) {
    const found: Either<LandingFailure | LandingBusy, ReadonlySet<RepoPath>> = await look(base, files)
    if (!isLeft(found)) return found
    if (found.left._tag !== 'Busy') return left(found.left)
    await ended()
  }
  return left({ _tag: 'Failed', reason: 'writes of this host came in between each time' })
}

/** The dirty files, sorted; none where HEAD left the base, or names no branch. */
export const dirtyAt =
  (landing: Looking): NonNullable<AdoptPorts['dirtyNow']> =>
  async (base, files) => {
    const found = await lookBetween(landing, base, files)
    return isLeft(found) ? [] : [...found.right].sort()
  }
