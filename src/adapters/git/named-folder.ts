import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, opendir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { BlobId, pathOf } from '#protocol/atoms.js'
import type { Skipped, TreeEntry, TreeListing, TreeSource } from '#src/ports/git.js'

/**
 * A plain folder of which only `names` are read: paths of files, folders (ending in `/`) whose files count
 * each, and folders (ending in `**`) whose files count at any depth. Links are not followed, and no byte of a
 * pipe or device is read.
 */
export const openNamedFolder = (
  root: string,
  names: ReadonlyArray<string>,
  { namesMax, fileBytesMax }: FolderBounds,
): TreeSource => {
  let listing: TreeListing = { entries: [], skipped: [] }
  const known: KnownEntries = new Map()
  const pathsOf = async (name: string): Promise<ReadonlyArray<string>> => {
    if (name.endsWith('**'))
      return (await isBelow(root, name)) ? pathsBelow(root, name.slice(0, -2), namesMax) : []
    if (!(await isBelow(root, name.endsWith('/') ? `${name}x` : name))) return []
    if (!name.endsWith('/')) return [name]
    return (await namesIn(join(root, name), namesMax)).map(file => `${name}${file}`)
  }
  return {
    kind: 'directory',
    path: root,
    head: async () => {
      const entries: Array<TreeEntry> = []
      const skipped: Array<Skipped> = []
      const paths = new Set<string>()
      for (const name of names) for (const path of await pathsOf(name)) paths.add(path)
      for (const path of paths) {
        const one = await entryAt(root, path, fileBytesMax, known)
        if (one !== null && 'reason' in one) skipped.push(one)
        else if (one !== null) entries.push(one)
      }
      for (const path of known.keys()) if (!paths.has(path)) known.delete(path)
      listing = { entries, skipped }
      const hash = createHash('sha1')
      for (const { blob, path } of entries) hash.update(`${blob} ${path}\0`)
      return { commit: null, id: hash.digest('hex') }
    },
    list: () => Promise.resolve(listing),
    listAt: () => Promise.resolve(listing),
    read: ({ path }) => readPlain(join(root, path), fileBytesMax),
    file: async path => {
      const bytes = await readPlain(join(root, path), fileBytesMax)
      return bytes === null ? null : { blob: blobOf(bytes), bytes }
    },
    contains: () => Promise.resolve(false),
    close: () => Promise.resolve(),
  }
}

/** A file, link, submodule or folder of a commit, by its full path. */
export interface NamedRow {
  readonly mode: string
  readonly type: string
  readonly id: string
  readonly path: string
}

/** The arguments of git whose output `parseNamedRows` parses. */
export const listRows = (commit: string): ReadonlyArray<string> => [
  ...['ls-tree', '-r', '-t', '-z', '--full-tree'],
  commit,
]

/** The most files and folders of one tree; a community has some thousands. */
export const treeRowsMax = 500_000

/** Why a tree of more rows is not read. */
export const tooManyRows = (): Error =>
  new Error(`the commit has more than ${treeRowsMax} files and folders; remove some in git`)

/** Parses the output of `git ls-tree -z`. Throws for more than `treeRowsMax` rows. */
export const parseNamedRows = (printed: string): ReadonlyArray<NamedRow> => {
  refuseTooMany(printed)
  return printed.split('\0').flatMap(line => {
    const tab = line.indexOf('\t')
    const [mode = '', type = '', id = ''] = line.slice(0, tab).split(' ')
    return tab < 0 ? [] : [{ mode, type, id, path: line.slice(tab + 1) }]
  })
}

/** The files and links in the output of `git ls-tree -z`. */
export const fileRows = (printed: string): ReadonlyArray<NamedRow> =>
  parseNamedRows(printed).filter(({ type }) => type === 'blob')

/**
 * The paths that a commit has twice: git never makes such a tree, and a checkout can hold only one of the
 * two.
 */
export const twinPaths = (rows: ReadonlyArray<NamedRow>): ReadonlySet<string> => {
  const seen = new Set<string>()
  const twins = new Set<string>()
  for (const { path } of rows) {
    if (seen.has(path)) twins.add(path)
    seen.add(path)
  }
  return twins
}

/** Whether a path is one of the given paths, or below one. */
export const isWithin = (paths: ReadonlySet<string>, path: string): boolean => {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
    if (paths.has(path.slice(0, end))) return true
  return false
}

/** Throws for a path that our checkouts do not accept, with the path and the reason. */
export const refusePath = (path: string, why: string): never => {
  const shown = path.length > shownMax ? `${path.slice(0, shownMax)}…` : path
  throw new Error(`the commit has a file at "${shown}", which no checkout can hold: ${why}; remove it in git`)
}

/** Throws where a commit has a name twice: a checkout can hold only one of the two. */
export const refuseTwins = (twins: Iterable<string>): void => {
  for (const path of twins) refusePath(path, 'its tree has this name twice')
}

interface FolderBounds {
  /** The most names in one folder. */
  readonly namesMax: number
  /** The most bytes of one file. */
  readonly fileBytesMax: number
}

const ignoreMissing = (error: unknown): null => {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
    return null
  throw error
}

/**
 * Whether every folder above a path is a real folder and not a link, so that the path cannot lead elsewhere.
 */
const isBelow = async (root: string, path: string): Promise<boolean> => {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const stat = await lstat(join(root, folder)).catch(ignoreMissing)
    if (stat?.isDirectory() !== true) return false
  }
  return true
}

const namesIn = async (folder: string, most: number): Promise<ReadonlyArray<string>> => {
  const names: Array<string> = []
  const opened = await opendir(folder).catch(ignoreMissing)
  if (opened === null) return []
  for await (const { name } of opened) {
    names.push(name)
    if (names.length > most) throw new Error(`folder ma więcej niż ${most} nazw`)
  }
  return names.sort()
}

/**
 * The bytes of a regular file; null for anything else and for a larger file. Does not follow a link, does not
 * wait for a pipe or a device, and reads no more than the size of the file when it was opened.
 */
const readPlain = async (path: string, bytesMax: number): Promise<Buffer | null> => {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => null)
  if (file === null) return null
  try {
    const stat = await file.stat()
    if (!stat.isFile() || stat.size > bytesMax) return null
    const bytes = Buffer.alloc(stat.size)
    let at = 0
    while (at < bytes.length) {
      const { bytesRead } = await file.read(bytes, at, bytes.length - at, at)
      if (bytesRead === 0) break
      at += bytesRead
    }
    return bytes.subarray(0, at)
  } finally {
    await file.close()
  }
}

const blobOf = (bytes: Buffer): BlobId => {
  const id = BlobId.decode(createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex'))
  if (isLeft(id)) throw new Error('a sha1 is a blob id')
  return id.right
}

/** Entries by path with the state of their file, so that an unchanged file is not read again. */
type KnownEntries = Map<string, { readonly state: string; readonly entry: TreeEntry }>

const entryAt = async (
  root: string,
  path: string,
  bytesMax: number,
  known: KnownEntries,
): Promise<TreeEntry | Skipped | null> => {
  const stat = await lstat(join(root, path), { bigint: true }).catch(ignoreMissing)
  if (stat === null || stat.isDirectory()) return null
  const decoded = pathOf(path)
  if (decoded === null) return { path, reason: 'path' }
  if (stat.isSymbolicLink()) return { path, reason: 'symlink' }
  const state = `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`
  const before = known.get(path)
  if (before?.state === state) return before.entry
  const bytes = await readPlain(join(root, path), bytesMax)
  if (bytes === null) return { path, reason: 'unreadable' }
  const entry = { path: decoded, blob: blobOf(bytes), bytes: bytes.length }
  known.set(path, { state, entry })
  return entry
}

const depthMax = 16

/** The paths of the files below a folder, at any depth; hidden folders are not entered. */
const pathsBelow = async (
  root: string,
  folder: string,
  most: number,
  depth = 0,
): Promise<ReadonlyArray<string>> => {
  if (depth > depthMax) return []
  const paths: Array<string> = []
  for (const name of await namesIn(join(root, folder), most)) {
    const path = `${folder}${name}`
    const stat = await lstat(join(root, path)).catch(ignoreMissing)
    if (stat?.isDirectory() !== true) paths.push(path)
    else if (!name.startsWith('.'))
      for (const below of await pathsBelow(root, `${path}/`, most - paths.length, depth + 1))
        paths.push(below)
    if (paths.length > most) throw new Error(`folder ma więcej niż ${most} plików`)
  }
  return paths
}

/** Throws for a tree of more rows: a commit of some hundred bytes can name one folder a billion times. */
const refuseTooMany = (printed: string): void => {
  let rows = 0
  for (let at = printed.indexOf('\0'); at >= 0; at = printed.indexOf('\0', at + 1)) {
    rows += 1
    if (rows > treeRowsMax) throw tooManyRows()
  }
}

/** Longer texts are cut, because they go into a report. */
const shownMax = 120
