import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { BlobId, RepoPath } from '#protocol/atoms.js'
import type { Skipped, TreeEntry, TreeListing, TreeSource } from '#src/ports/git.js'

/**
 * A plain directory in place of a commit. Its content ids are those that git would compute, so a tree reads
 * the same before and after it becomes a repository.
 */
export const openDirectorySource = (root: string, list: ListFolder = readdir): TreeSource => {
  let known: ReadonlyMap<string, Known> = new Map()
  let listing: TreeListing = { entries: [], skipped: [] }

  const walk = async (): Promise<void> => {
    const fresh = new Map<string, Known>()
    const skipped: Array<Skipped> = []
    const folders = ['']
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      const names = await list(join(root, folder)).catch(namesGone)
      if (names === null) skipped.push({ path: folder === '' ? '.' : folder, reason: 'unlisted' })
      for (const name of [...(names ?? [])].sort()) {
        const path = folder === '' ? name : `${folder}/${name}`
        if (isPrivate(path)) continue
        const stat = await lstat(join(root, path)).catch(() => null)
        if (stat?.isDirectory() === true) folders.push(path)
        else if (stat?.isSymbolicLink() === true) skipped.push({ path, reason: 'symlink' })
        else if (stat?.isFile() === true) {
          const file = known.get(path)
          const stamp = stampOf(stat)
          const one = file?.stamp === stamp ? file : await hashFile(root, path, stamp)
          if ('reason' in one) skipped.push(one)
          else fresh.set(path, one)
        }
      }
    }
    known = fresh
    const entries = [...fresh.values()].map(file => file.entry).sort((a, b) => (a.path < b.path ? -1 : 1))
    listing = { entries, skipped }
  }

  return {
    kind: 'directory',
    path: root,
    head: async () => {
      await walk()
      const hash = createHash('sha1')
      for (const entry of listing.entries) hash.update(`${entry.blob} ${entry.path}\0`)
      return { commit: null, id: hash.digest('hex') }
    },
    list: () => Promise.resolve(listing),
    listAt: (_head, paths) =>
      Promise.resolve({
        entries: listing.entries.filter(({ path }) => paths.includes(path)),
        skipped: listing.skipped.filter(({ path }) => paths.includes(path)),
      }),
    read: entry => readFile(join(root, entry.path)).catch(() => null),
    file: async name => {
      const stat = await lstat(join(root, name)).catch(() => null)
      const bytes = stat?.isFile() === true ? await readFile(join(root, name)).catch(() => null) : null
      return bytes === null ? null : { blob: blobOf(bytes), bytes }
    },
    contains: () => Promise.resolve(false),
    close: () => Promise.resolve(),
  }
}

/** A file at its last hash: with unchanged time and size it need not be read again. */
interface Known {
  readonly stamp: string
  readonly entry: TreeEntry
}

const blobOf = (bytes: Buffer): BlobId => {
  const id = BlobId.decode(createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex'))
  if (isLeft(id)) throw new Error('a sha1 is a blob id')
  return id.right
}

const isPrivate = (path: string): boolean =>
  path === '.git' || path === '.svc/state' || path === 'node_modules'

/** The names in a folder. */
type ListFolder = (path: string) => Promise<ReadonlyArray<string>>

/** A folder that disappeared during the walk has no names; any other error is thrown. */
const namesGone = (error: unknown): ReadonlyArray<string> | null =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT' ? [] : null

const stampOf = (stat: Stats): string => `${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}`

const hashFile = async (root: string, path: string, stamp: string): Promise<Known | Skipped> => {
  const decoded = RepoPath.decode(path)
  if (isLeft(decoded) || path.includes('\u{fffd}')) return { path, reason: 'path' }
  const bytes = await readFile(join(root, path)).catch(() => null)
  if (bytes === null) return { path, reason: 'unreadable' }
  return { stamp, entry: { path: decoded.right, blob: blobOf(bytes), bytes: bytes.length } }
}
