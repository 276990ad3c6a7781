import { type Either, isLeft, left } from 'fp-ts/lib/Either.js'
import type { AdoptPorts } from '#actors/write-gate/adopt.js'
import type { CommitId } from '#protocol/atoms/commit.js'
import type { RepoPath } from '#protocol/atoms/path.js'
import type { Landing, LandingBusy, LandingFailure, TouchedFile } from '#src/ports/git/landing.js'

type Looking = Pick<Landing, 'look' | 'ended'>

/** Landings of this host that may come in between before a look gives up. */
const busyMax = 32

/**
 * Looks which files are dirty between two landings of this host: a write that is under way does not look like the work
 * of a person. Looks again after each landing that came in between.
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
