import type { BlobId, RepoPath } from '#protocol/atoms.js'
import type { TouchedFile } from '#src/ports/landing.js'
import { mapAtMost } from '../at-most.js'
import type { GitFolder } from '../git-folder.js'
import { findStagedAcross, type GitIndex, stageLookup } from '../index/index-file.js'
import { type Conversions, differingFile } from './conversions.js'
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

/** A checkout to compare: where it is, its index, and how git converts its files. */
export interface ComparedCheckout {
  readonly repo: string
  readonly folder: GitFolder
  readonly index: GitIndex
  readonly conversions: Conversions
}

/**
 * Looks at paths of the work tree; `blobs` are those that the commit may have at each. Where the bytes of a regular
 * file match none of them, the result also has the blobs that match after git's conversion.
 */
export const inspectPaths = async (
  { repo, folder, index, conversions }: ComparedCheckout,
  files: ReadonlyArray<{ readonly path: RepoPath; readonly blobs: ReadonlyArray<BlobId | null> }>,
  leaving: Leaving,
): Promise<ReadonlyMap<RepoPath, Lying>> => {
  const found = await mapAtMost(files, async ({ path, blobs }) => ({
    path,
    blobs: blobs.filter(blob => blob !== null),
    lying: await inspectPath(repo, path, leaving),
  }))
  const differing = found.flatMap(differingFile)
  const alike = differing.length === 0 ? null : await conversions.alike(folder, index, differing)
  return new Map(
    found.map(({ path, lying }) => {
      const also = alike?.get(path)
      return [path, lying._tag === 'File' && also !== undefined ? { ...lying, alike: also } : lying] as const
    }),
  )
}

/**
 * Compares index and work tree with the commit at these paths (D4), by git's own conversion. A file that the same
 * move removes does not make the new file in its place dirty.
 */
export const compareCheckout = async (
  checkout: ComparedCheckout,
  files: ReadonlyArray<TouchedFile>,
  leaving: Leaving = new Set(),
): Promise<CheckoutComparison> => {
  const { index } = checkout
  const inIndex = stageLookup(index)
  const fresh = files.flatMap(({ path, before }) => (before === null ? [path] : []))
  const crossed = findStagedAcross(index, new Set(fresh), leaving)
  const dirty = new Set<RepoPath>()
  const lying = await inspectPaths(
    checkout,
    files.map(file => ({ path: file.path, blobs: blobsBefore(file) })),
    leaving,
  )
  for (const file of files) {
    const { path } = file
    const there = lying.get(path) ?? { _tag: 'Absent' }
    const entry = inIndex(path)
    const known = blobsBefore(file)
    const isCommitted = known.some(blob => blob === (entry?.id ?? null)) && (entry?.stage ?? 0) === 0
    if (!isCommitted || crossed.has(path) || !known.some(blob => hasCommittedContent(there, blob)))
      dirty.add(path)
  }
  return { lying, dirty }
}
