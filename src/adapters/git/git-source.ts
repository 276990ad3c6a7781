import { isLeft } from 'fp-ts/lib/Either.js'
import { BlobId, CommitId } from '#protocol/atoms/commit.js'
import { type Head, LostObject, type TreeListing, type TreeSource } from '#src/ports/git/tree-source.js'
import { openGitBatch } from './git-batch.js'
import { git } from './git-command.js'
import { treeReader } from './git-tree.js'
import { pathLister } from './list-paths.js'

const ancestorsMax = 1000

/** The id of the tree without files: what a repository without a commit serves. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/**
 * The committed tree of a git repository's HEAD, read through one long-lived child. Nothing uncommitted is
 * ever seen.
 */
export const openGitSource = (path: string): TreeSource => {
  const batch = openGitBatch(path)
  const sizes = openGitBatch(path, 'sizes')
  const listTree = treeReader(batch, sizes)
  const listPaths = pathLister(path, sizes)
  /** Whether a revision names an object, also one that cannot be read. */
  const isNamed = async (revision: string): Promise<boolean> =>
    (await git(['rev-parse', '--verify', '--quiet', revision], { cwd: path })).code === 0
  const head = async (): Promise<Head> => {
    const object = await batch.object('HEAD^{commit}')
    if (object === null && (await isNamed('HEAD')))
      throw new Error('the commit that HEAD names cannot be read; run `git fsck`')
    const commit = object === null ? null : CommitId.decode(object.id)
    return commit === null || isLeft(commit)
      ? { commit: null, id: emptyTree }
      : { commit: commit.right, id: commit.right }
  }
  const list = async (at: Head): Promise<TreeListing> => {
    if (at.commit === null) return { entries: [], skipped: [] }
    const object = await batch.object(at.commit)
    const tree = /^tree ([0-9a-f]+)$/m.exec(object?.bytes.toString('latin1') ?? '')?.[1]
    if (tree === undefined) throw new Error(`the commit ${at.commit} cannot be read; run \`git fsck\``)
    return listTree(tree)
  }
  /** Ancestors found, by the head they were asked of: a public route may ask for them again and again. */
  const ancestors = new Map<string, boolean>()
  let asked: Promise<unknown> = Promise.resolve()
  const isAncestor = async (of: CommitId, commit: CommitId): Promise<boolean> => {
    const known = ancestors.get(`${of} ${commit}`)
    if (known !== undefined) return known
    const result = await git(['merge-base', '--is-ancestor', commit, of], { cwd: path })
    if (ancestors.size >= ancestorsMax) ancestors.clear()
    ancestors.set(`${of} ${commit}`, result.code === 0)
    return result.code === 0
  }
  const contains = async (at: Head, commit: CommitId): Promise<boolean> => {
    if (at.commit === null) return false
    if (at.commit === commit) return true
    // An id that is no object here needs no child of its own; of the others one is asked at a time.
    if ((await sizes.object(commit))?.type !== 'commit') return false
    const head = at.commit
    const answer = asked.then(() => isAncestor(head, commit))
    asked = answer.catch(() => false)
    return answer
  }
  return {
    kind: 'git',
    path,
    head,
    list,
    listAt: (at, paths) =>
      at.commit === null ? Promise.resolve({ entries: [], skipped: [] }) : listPaths(at.commit, paths),
    read: async entry => {
      const object = await batch.object(entry.blob)
      if (object?.type !== 'blob') throw new LostObject(entry)
      return object.bytes
    },
    file: async name => {
      const object = await batch.object(`HEAD:${name}`)
      if (object === null && (await isNamed(`HEAD:${name}`)))
        throw new Error(`the committed ${name} cannot be read; run \`git fsck\``)
      const blob = BlobId.decode(object?.id)
      return object?.type !== 'blob' || isLeft(blob) ? null : { blob: blob.right, bytes: object.bytes }
    },
    contains,
    close: () => {
      batch.close()
      sizes.close()
      return Promise.resolve()
    },
  }
}
