import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { CommitId, RepoPath } from '#protocol/atoms.js'
import type { LandingFailure, TouchedFile } from '#src/ports/landing.js'
import { compareCheckout } from '../checkout/dirty.js'
import { detached, failureOf } from '../failure.js'
import { isOnBranch } from '../git-folder.js'
import { hidePathsOfFailure } from '../hide-host-paths.js'
import { readCurrentIndex } from '../index/index-lock.js'
import { isHeadAt, type LandingContext, locateGit } from './context.js'

/** The files that a landing would find dirty. Takes no lock and changes nothing: a dry run uses it. */
export const findDirty = async (
  context: LandingContext,
  base: CommitId | null,
  files: ReadonlyArray<TouchedFile>,
): Promise<Either<LandingFailure, ReadonlySet<RepoPath>>> => {
  const { repo, memory, conversions } = context
  try {
    const folder = await locateGit(context)
    if (!(await isOnBranch(folder))) return left(detached)
    if (!(await isHeadAt(context, base))) return left({ _tag: 'Moved' })
    const index = await readCurrentIndex(folder, memory)
    return right((await compareCheckout({ repo, folder, index, conversions }, files)).dirty)
  } catch (error) {
    return left(hidePathsOfFailure(repo, failureOf(error)))
  }
}
