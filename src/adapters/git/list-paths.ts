import { isLeft } from 'fp-ts/lib/Either.js'
import { BlobId, type CommitId, RepoPath } from '#protocol/atoms.js'
import type { Skipped, TreeEntry, TreeListing } from '#src/ports/git.js'
import type { GitBatch } from './git-batch.js'
import { git } from './git-command.js'

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
