import type { BlobId } from '#protocol/atoms/commit.js'
import type { RepoPath } from '#protocol/atoms/path.js'
import type { TouchedFile } from '#src/ports/git/landing.js'
import { mapAtMost } from '../at-most.js'
import { findStagedAcross, stageLookup } from '../index/index-file.js'
import type { HeldIndex } from '../index/index-lock.js'
import { hasCommittedContent, inspectPath, type Leaving, type Lying } from './work-tree.js'

export interface CheckoutComparison {
  readonly lying: ReadonlyMap<RepoPath, Lying>
  /** Files that hold a person's uncommitted work. */
  readonly dirty: ReadonlySet<RepoPath>
}

/** The blobs that the commit has at the path: one or none, and several where it has the name twice. */
export const blobsBefore = ({ before, orBefore = [] }: TouchedFile): ReadonlyArray<BlobId | null> => [
  before,
  ...orBefore,
]

/**
 * Compares index and work tree with the commit at these paths (D4). A file that the same move removes does
 * not make the new file in its place dirty.
 */
export const compareCheckout = async (
  repo: string,
  { index }: Pick<HeldIndex, 'index'>,
  files: ReadonlyArray<TouchedFile>,
  leaving: Leaving = new Set(),
): Promise<CheckoutComparison> => {
  const inIndex = stageLookup(index)
  const fresh = files.flatMap(({ path, before }) => (before === null ? [path] : []))
  const crossed = findStagedAcross(index, new Set(fresh), leaving)
  const lying = new Map<RepoPath, Lying>()
  const dirty = new Set<RepoPath>()
  await mapAtMost(files, async file => {
    const { path } = file
    const there = await inspectPath(repo, path, leaving)
    const entry = inIndex(path)
    const known = blobsBefore(file)
    const isCommitted = known.some(blob => blob === (entry?.id ?? null)) && (entry?.stage ?? 0) === 0
    lying.set(path, there)
    if (!isCommitted || crossed.has(path) || !known.some(blob => hasCommittedContent(there, blob)))
      dirty.add(path)
  })
  return { lying, dirty }
}
