import type { RepoPath } from '#protocol/atoms.js'
import type { TouchedFile } from '#src/ports/landing.js'
import { gitFolder } from '../git-folder.js'
import { readCurrentIndex } from '../index/index-lock.js'
import { openConversions } from './conversions.js'
import { compareCheckout } from './dirty.js'

/**
 * Those of the files that hold uncommitted work, by the rule of a landing, sorted. Takes no lock and changes
 * nothing. Throws where the index or a file cannot be read.
 */
export const dirtyNow =
  (repo: string) =>
  async (files: ReadonlyArray<TouchedFile>): Promise<ReadonlyArray<RepoPath>> => {
    const folder = await gitFolder(repo)
    const index = await readCurrentIndex(folder)
    const { dirty } = await compareCheckout(
      { repo, folder, index, conversions: openConversions(repo) },
      files,
    )
    return [...dirty].sort()
  }
