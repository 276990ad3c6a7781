import { isLeft } from 'fp-ts/lib/Either.js'
import { BlobId, CommitId } from '#protocol/atoms/commit.js'
import { RepoPath } from '#protocol/atoms/path.js'
import type { Head, Skipped, TreeEntry, TreeListing, TreeSource } from '#src/ports/tree-source.js'
import { openGitBatch } from './git-batch.js'
import { git } from './git-command.js'

/** The id of the tree without files: what a repository without a commit serves. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

const listingOf = (output: Buffer): TreeListing => {
  const entries: Array<TreeEntry> = []
  const skipped: Array<Skipped> = []
  let start = 0
  for (let end = output.indexOf(0, start); end >= 0; end = output.indexOf(0, start)) {
    const line = output.subarray(start, end)
    start = end + 1
    const tab = line.indexOf(9)
    const [mode, type, id, size] = line.subarray(0, tab).toString('latin1').split(/ +/)
    const name = line.subarray(tab + 1).toString('utf8')
    const [path, blob] = [RepoPath.decode(name), BlobId.decode(id)]
    if (type === 'commit') skipped.push({ path: name, reason: 'submodule' })
    else if (mode === '120000') skipped.push({ path: name, reason: 'symlink' })
    else if (isLeft(path) || isLeft(blob) || name.includes('\u{fffd}'))
      skipped.push({ path: name, reason: 'path' })
    else entries.push({ path: path.right, blob: blob.right, bytes: Number(size) })
  }
  return { entries, skipped }
}

/**
 * The committed tree of a git repository's HEAD, read through one long-lived child. Nothing uncommitted is
 * ever seen.
 */
export const openGitSource = (path: string): TreeSource => {
  const batch = openGitBatch(path)
  const head = async (): Promise<Head> => {
    const object = await batch.object('HEAD^{commit}')
    if (
      object === null &&
      (await git(['rev-parse', '--verify', '--quiet', 'HEAD'], { cwd: path })).code === 0
    )
      throw new Error('the commit that HEAD names cannot be read; run `git fsck`')
    const commit = object === null ? null : CommitId.decode(object.id)
    return commit === null || isLeft(commit)
      ? { commit: null, id: emptyTree }
      : { commit: commit.right, id: commit.right }
  }
  const list = async (at: Head): Promise<TreeListing> => {
    if (at.commit === null) return { entries: [], skipped: [] }
    const result = await git(['ls-tree', '-r', '-z', '-l', '--full-tree', at.commit], { cwd: path })
    if (result.code !== 0) throw new Error(`git ls-tree of ${at.commit} failed: ${result.stderr.trim()}`)
    return listingOf(result.stdout)
  }
  const contains = async (at: Head, commit: CommitId): Promise<boolean> => {
    if (at.commit === null) return false
    if (at.commit === commit) return true
    const result = await git(['merge-base', '--is-ancestor', commit, at.commit], { cwd: path })
    return result.code === 0
  }
  return {
    kind: 'git',
    path,
    head,
    list,
    read: async entry => (await batch.object(entry.blob))?.bytes ?? null,
    contains,
    close: () => Promise.resolve(batch.close()),
  }
}
