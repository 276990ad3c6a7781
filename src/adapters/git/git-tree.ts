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

const folderMode = '40000'

const joined = (parts: ReadonlyArray<TreeListing>): TreeListing => ({
  entries: parts.flatMap(part => part.entries),
  skipped: parts.flatMap(part => part.skipped),
})

const skippedAs = (path: string, reason: Skipped['reason']): TreeListing => ({
  entries: [],
  skipped: [{ path, reason }],
})

/** Trees asked for at once, which bounds what a listing that fails leaves behind. */
const readsMax = 64

/** Runs at most `readsMax` pieces of work at a time, in the order of arrival. */
const openLanes = (): (<A>(work: () => Promise<A>) => Promise<A>) => {
  const waiting: Array<() => void> = []
  let free = readsMax
  return async work => {
    if (free > 0) free -= 1
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}

/** The rows of one listing: reads trees until there are more than `rowsMax` rows, and then no further tree. */
const openRows = (contents: GitBatch) => {
  const inLane = openLanes()
  let left = rowsMax
  let unread = 1
  let end: () => void = () => undefined
  /** Resolves when every tree is read; never where a read failed. */
  const allRead = new Promise<void>(resolve => {
    end = resolve
  })
  const tooMany = (): Error => new Error(`the tree has more than ${rowsMax} entries`)
  const rowsOf = (tree: string, folder: string): Promise<ReadonlyArray<TreeRow>> =>
    inLane(async () => {
      if (left < 0) throw tooMany()
      const object = await contents.object(tree)
      if (object?.type !== 'tree') throw new Error(`the tree ${tree} at "${folder}" cannot be read`)
      const rows = treeRows(object.bytes, 'utf8', left + 1)
      left -= rows.length
      if (left < 0) throw tooMany()
      return rows
    })
  const isRead = (folders: number): void => {
    unread += folders - 1
    if (unread === 0) end()
  }
  return { rowsOf, isRead, allRead }
}

/**
 * Lists trees through open `cat-file` children. A subtree that stands as it was is not read again, so a
 * commit costs the trees on the paths that it changed. Sizes are asked for once per blob, after the last tree; NaN for
 * one that is broken. Throws for a tree of more than `rowsMax` entries.
 */
export const treeReader = (contents: GitBatch, sizes: GitBatch): ((tree: string) => Promise<TreeListing>) => {
  let last: Listed | undefined

  const entryOf = async (path: string, id: string, allRead: Promise<void>): Promise<TreeListing> => {
    const [decoded, blob] = [RepoPath.decode(path), BlobId.decode(id)]
    if (isLeft(decoded) || isLeft(blob) || path.includes('\u{fffd}')) return skippedAs(path, 'path')
    await allRead
    const bytes = (await sizes.object(id))?.size ?? Number.NaN
    const entry: TreeEntry = { path: decoded.right, blob: blob.right, bytes }
    return { entries: [entry], skipped: [] }
  }

  const listed = async (
    from: ReturnType<typeof openRows>,
    tree: string,
    folder: string,
    before: Listed | undefined,
  ): Promise<Listed> => {
    if (before?.tree === tree) {
      from.isRead(0)
      return before
    }
    const rows = await from.rowsOf(tree, folder)
    from.isRead(rows.filter(row => row.mode === folderMode).length)
    const below = new Map<string, Listed>()
    const files = new Map<string, OwnFile>()
    const parts = await Promise.all(
      rows.map(async ({ mode, name, id }): Promise<TreeListing> => {
        const path = folder === '' ? name : `${folder}/${name}`
        if (mode === folderMode) {
          const inside = await listed(from, id, path, before?.below.get(name))
          below.set(name, inside)
          return inside.listing
        }
        if (mode === '160000') return skippedAs(path, 'submodule')
        if (mode === '120000') return skippedAs(path, 'symlink')
        const known = before?.files.get(name)
        const file = known?.id === id ? known : { id, listing: await entryOf(path, id, from.allRead) }
        files.set(name, file)
        return file.listing
      }),
    )
    return { tree, listing: joined(parts), below, files }
  }

  return async tree => {
    last = await listed(openRows(contents), tree, '', last)
    return last.listing
  }
}
