import { isLeft } from 'fp-ts/lib/Either.js'
import { BlobId, type CommitId, RepoPath } from '#protocol/atoms.js'
import { joinLists } from '#src/domain/json/json-bytes.js'
import type { Skipped, TreeEntry, TreeListing } from '#src/ports/git.js'
import type { GitBatch } from './git-batch.js'
import { git } from './git-command.js'
import { tooManyRows, treeRowsMax } from './named-folder.js'

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

/**
 * Lists paths of a commit without listing its tree. `git ls-tree` distinguishes a file from a link, and an
 * absent path from a folder that cannot be read. It is started only when one of the paths has another object
 * than at the last call, which the open child tells.
 */
export const pathLister = (
  cwd: string,
  sizes: GitBatch,
): ((commit: CommitId, paths: ReadonlyArray<string>) => Promise<TreeListing>) => {
  let last: { readonly objects: string; readonly listing: TreeListing } | null = null
  return async (commit, paths) => {
    const found = await Promise.all(
      paths.map(path => nearestObjectOf(sizes, commit, path.replace(/\/$/, ''))),
    )
    const objects = [...paths, ...found].join('\0')
    if (last?.objects === objects) return last.listing
    const args = ['--literal-pathspecs', 'ls-tree', '-z', '-l', '--full-tree', commit, '--', ...paths]
    const { code, stdout, stderr } = await git(args, { cwd, outputBytesMax: listingBytesMax })
    if (code !== 0)
      throw new Error(`the paths of ${commit} cannot be listed: ${stderr.trim() || 'too many files'}`)
    last = { objects, listing: listingOf(stdout.toString('utf8')) }
    return last.listing
  }
}

/** A row of a tree object: a file, a folder or a submodule, depending on its mode. */
export interface TreeRow {
  readonly mode: string
  readonly name: string
  readonly id: string
}

/**
 * The rows of a tree object: `<mode> <name>\0<id>`, the id in 20 bytes. Names are decoded as text (`utf8`),
 * or as one character per byte (`latin1`), which keeps git's byte order. At most the first `most` rows.
 */
export const treeRows = (
  tree: Buffer,
  names: 'utf8' | 'latin1',
  most = Number.POSITIVE_INFINITY,
): ReadonlyArray<TreeRow> => {
  const rows: Array<TreeRow> = []
  for (let at = 0; at < tree.length && rows.length < most; ) {
    const [space, nul] = [tree.indexOf(0x20, at), tree.indexOf(0, at)]
    rows.push({
      mode: tree.toString('latin1', at, space),
      name: tree.toString(names, space + 1, nul),
      id: tree.toString('hex', nul + 1, nul + 1 + idBytes),
    })
    at = nul + 1 + idBytes
  }
  return rows
}

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

/** The most output of `git ls-tree` that is read: about 50,000 files. */
const listingBytesMax = 8 * 1024 * 1024

const row = /^(\d+) (blob|tree|commit) ([0-9a-f]+) +(\d+|-|BAD)\t(.*)$/s

const odd: Readonly<Record<string, Skipped['reason']>> = {
  '040000': 'folder',
  '120000': 'symlink',
  '160000': 'submodule',
}

const parseTreeLine = (line: string): TreeEntry | Skipped => {
  const [, mode = '', , id = '', size = '', path = ''] = row.exec(line) ?? []
  const reason = odd[mode]
  const [decoded, blob] = [RepoPath.decode(path), BlobId.decode(id)]
  if (reason !== undefined) return { path, reason }
  if (isLeft(decoded) || isLeft(blob) || path.includes('\u{fffd}')) return { path, reason: 'path' }
  return { path: decoded.right, blob: blob.right, bytes: Number(size) }
}

const listingOf = (text: string): TreeListing => {
  const entries: Array<TreeEntry> = []
  const skipped: Array<Skipped> = []
  for (const line of text.split('\0')) {
    if (line === '') continue
    const one = parseTreeLine(line)
    if ('reason' in one) skipped.push(one)
    else entries.push(one)
  }
  return { entries, skipped }
}

/**
 * The id of the object at a path. Where none is readable, the id of the nearest readable folder above it: the
 * open child does not distinguish a lost object from an absent path, and a folder's id changes where its
 * files do.
 */
const nearestObjectOf = async (sizes: GitBatch, commit: CommitId, path: string): Promise<string> => {
  const object = await sizes.object(`${commit}:${path}`)
  if (object !== null) return object.id
  return path === ''
    ? ''
    : `in ${await nearestObjectOf(sizes, commit, path.slice(0, Math.max(0, path.lastIndexOf('/'))))}`
}

const idBytes = 20
