import type { RepoPath } from '#protocol/atoms/path.js'
import type { TouchedFile } from '#src/ports/landing.js'
import { mapAtMost } from './at-most.js'
import { stagedIn } from './index-file.js'
import type { HeldIndex } from './index-lock.js'
import { type Lying, lyingAt, stands } from './work-tree.js'

export interface Found {
  readonly lying: ReadonlyMap<RepoPath, Lying>
  /** Files that hold work of a person that no commit has. */
  readonly dirty: ReadonlySet<RepoPath>
}

/** Compares index and work tree with what the commit has at these paths (D4). */
export const found = async (
  repo: string,
  { index }: Pick<HeldIndex, 'index'>,
  files: ReadonlyArray<TouchedFile>,
): Promise<Found> => {
  const inIndex = stagedIn(index)
  const lying = new Map<RepoPath, Lying>()
  const dirty = new Set<RepoPath>()
  await mapAtMost(files, async ({ path, before }) => {
    const there = await lyingAt(repo, path)
    const entry = inIndex(path)
    const isStaged = entry === null ? before !== null : entry.stage > 0 || entry.id !== before
    lying.set(path, there)
    if (isStaged || !stands(there, before)) dirty.add(path)
  })
  return { lying, dirty }
}
