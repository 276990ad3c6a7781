import { isLeft } from 'fp-ts/lib/Either.js'
import { BlobId } from '#protocol/atoms/commit.js'
import { RepoPath } from '#protocol/atoms/path.js'
import type { Skipped, TreeEntry, TreeListing } from '#src/ports/tree-source.js'
import type { GitBatch } from './git-batch.js'
import { type TreeRow, treeRows } from './tree-rows.js'

/** A tree as listed below one folder, with the trees in it by name. */
interface Listed {
  readonly tree: string
  readonly listing: TreeListing
  readonly below: ReadonlyMap<string, Listed>
  /** What the rows of its own files became, by name. */
  readonly files: ReadonlyMap<string, OwnFile>
}

interface OwnFile {
  readonly id: string
  readonly listing: TreeListing
}

/** Files and folders of one tree that are listed; a community has some thousands. */
const rowsMax = 500_000

const joined = (parts: ReadonlyArray<TreeListing>): TreeListing => ({
  entries: parts.flatMap(part => part.entries),
  skipped: parts.flatMap(part => part.skipped),
})

const skippedAs = (path: string, reason: Skipped['reason']): TreeListing => ({
  entries: [],
  skipped: [{ path, reason }],
})

/**
 * Lists trees through open `cat-file` children. A subtree that stands as it was is not read again, so a
 * commit costs the trees on the paths that it changed. Sizes are asked for once per blob; NaN for one that is
 * broken.
 */
export const treeReader = (contents: GitBatch, sizes: GitBatch): ((tree: string) => Promise<TreeListing>) => {
  let last: Listed | undefined
  let rows = 0

  const entryOf = async (path: string, id: string): Promise<TreeListing> => {
    const [decoded, blob] = [RepoPath.decode(path), BlobId.decode(id)]
    if (isLeft(decoded) || isLeft(blob) || path.includes('\u{fffd}')) return skippedAs(path, 'path')
    const bytes = (await sizes.object(id))?.size ?? Number.NaN
    const entry: TreeEntry = { path: decoded.right, blob: blob.right, bytes }
    return { entries: [entry], skipped: [] }
  }

  const bounded = (read: ReadonlyArray<TreeRow>): ReadonlyArray<TreeRow> => {
    rows += read.length
    if (rows > rowsMax) throw new Error(`the tree has more than ${rowsMax} entries`)
    return read
  }

  const listed = async (tree: string, folder: string, before: Listed | undefined): Promise<Listed> => {
    if (before?.tree === tree) return before
    const object = await contents.object(tree)
    if (object?.type !== 'tree') throw new Error(`the tree ${tree} at "${folder}" cannot be read`)
    const below = new Map<string, Listed>()
    const files = new Map<string, OwnFile>()
    const parts = await Promise.all(
      bounded(treeRows(object.bytes, 'utf8')).map(async ({ mode, name, id }): Promise<TreeListing> => {
        const path = folder === '' ? name : `${folder}/${name}`
        if (mode === '40000') {
          const inside = await listed(id, path, before?.below.get(name))
          below.set(name, inside)
          return inside.listing
        }
        if (mode === '160000') return skippedAs(path, 'submodule')
        if (mode === '120000') return skippedAs(path, 'symlink')
        const known = before?.files.get(name)
        const file = known?.id === id ? known : { id, listing: await entryOf(path, id) }
        files.set(name, file)
        return file.listing
      }),
    )
    return { tree, listing: joined(parts), below, files }
  }

  return async tree => {
    rows = 0
    last = await listed(tree, '', last)
    return last.listing
  }
}
