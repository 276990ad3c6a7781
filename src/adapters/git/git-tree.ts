import { isLeft } from 'fp-ts/lib/Either.js'
import { BlobId, RepoPath } from '#protocol/atoms.js'
import { joinLists } from '#src/domain/json/json-bytes.js'
import type { Skipped, TreeEntry, TreeListing } from '#src/ports/git.js'
import type { GitBatch } from './git-batch.js'
import { tooManyRows, treeRowsMax } from './named-rows.js'
import { type TreeRow, treeRows } from './tree-rows.js'

/** The listing of a tree below one folder, with its subtrees by name. */
interface Listed {
  readonly tree: string
  readonly listing: TreeListing
  readonly below: ReadonlyMap<string, Listed>
  /** What its own files were listed as, by name. */
  readonly files: ReadonlyMap<string, OwnFile>
}

interface OwnFile {
  readonly id: string
  readonly listing: TreeListing
}

const folderMode = '40000'

const joinListings = (parts: ReadonlyArray<TreeListing>): TreeListing => ({
  entries: joinLists(parts.map(part => part.entries)),
  skipped: joinLists(parts.map(part => part.skipped)),
})

const listSkipped = (path: string, reason: Skipped['reason']): TreeListing => ({
  entries: [],
  skipped: [{ path, reason }],
})

/** The most trees requested at once, which bounds what a failed listing leaves running. */
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

/**
 * A tree with all its subtrees as read; `same` where it is unchanged since the last listing, and was not
 * read.
 */
interface Walked {
  readonly tree: string
  readonly rows: ReadonlyArray<TreeRow>
  readonly below: ReadonlyMap<string, Walked>
  readonly same: Listed | null
}

/**
 * Walks the trees of one listing. After more than `treeRowsMax` rows it reads no further tree. A tree that occurs
 * in several places is read once, and its rows count in each.
 */
const walker = (
  contents: GitBatch,
): ((tree: string, folder: string, before: Listed | undefined) => Promise<Walked>) => {
  const inLane = openLanes()
  const read = new Map<string, Promise<ReadonlyArray<TreeRow>>>()
  let left = treeRowsMax
  const rowsIn = async (tree: string, folder: string): Promise<ReadonlyArray<TreeRow>> => {
    const object = await contents.object(tree)
    if (object?.type !== 'tree') throw new Error(`the tree ${tree} at "${folder}" cannot be read`)
    return treeRows(object.bytes, 'utf8', left + 1)
  }
  const rowsOf = (tree: string, folder: string): Promise<ReadonlyArray<TreeRow>> =>
    inLane(async () => {
      if (left < 0) throw tooManyRows()
      const asked = read.get(tree) ?? rowsIn(tree, folder)
      read.set(tree, asked)
      const rows = await asked
      left -= rows.length
      if (left < 0) throw tooManyRows()
      return rows
    })
  const walk = async (tree: string, folder: string, before: Listed | undefined): Promise<Walked> => {
    if (before?.tree === tree) return { tree, rows: [], below: new Map(), same: before }
    const rows = await rowsOf(tree, folder)
    const below = await Promise.all(
      rows
        .filter(({ mode }) => mode === folderMode)
        .map(async ({ name, id }) => {
          const path = folder === '' ? name : `${folder}/${name}`
          return [name, await walk(id, path, before?.below.get(name))] as const
        }),
    )
    return { tree, rows, below: new Map(below), same: null }
  }
  return walk
}

/**
 * Lists trees through open `cat-file` children. An unchanged subtree is not read again, so a commit costs the
 * trees on the paths that it changed. Sizes are requested once per blob, after the last tree. The size of a
 * lost blob is NaN, and such a listing is not cached, because the object may come back. Throws for a tree of
 * more than `treeRowsMax` entries.
 */
export const treeReader = (contents: GitBatch, sizes: GitBatch): ((tree: string) => Promise<TreeListing>) => {
  let last: Listed | undefined

  const entryOf = async (path: string, id: string): Promise<TreeListing> => {
    const [decoded, blob] = [RepoPath.decode(path), BlobId.decode(id)]
    if (isLeft(decoded) || isLeft(blob) || path.includes('\u{fffd}')) return listSkipped(path, 'path')
    const bytes = (await sizes.object(id))?.size ?? Number.NaN
    const entry: TreeEntry = { path: decoded.right, blob: blob.right, bytes }
    return { entries: [entry], skipped: [] }
  }

  const listed = async (walked: Walked, folder: string, before: Listed | undefined): Promise<Listed> => {
    if (walked.same !== null) return walked.same
    const below = new Map<string, Listed>()
    const files = new Map<string, OwnFile>()
    const parts = await Promise.all(
      walked.rows.map(async ({ mode, name, id }): Promise<TreeListing> => {
        const path = folder === '' ? name : `${folder}/${name}`
        const folderOf = walked.below.get(name)
        if (mode === folderMode && folderOf !== undefined) {
          const inside = await listed(folderOf, path, before?.below.get(name))
          below.set(name, inside)
          return inside.listing
        }
        if (mode === '160000') return listSkipped(path, 'submodule')
        if (mode === '120000') return listSkipped(path, 'symlink')
        const known = before?.files.get(name)
        const file = known?.id === id ? known : { id, listing: await entryOf(path, id) }
        files.set(name, file)
        return file.listing
      }),
    )
    return { tree: walked.tree, listing: joinListings(parts), below, files }
  }

  return async tree => {
    const next = await listed(await walker(contents)(tree, '', last), '', last)
    if (!next.listing.entries.some(({ bytes }) => Number.isNaN(bytes))) last = next
    return next.listing
  }
}
