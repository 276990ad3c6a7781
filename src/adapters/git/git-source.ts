import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { BlobId, CommitId } from '#protocol/atoms.js'
import { type Head, LostObject, type TreeSource } from '#src/ports/git.js'
import { openDirectorySource } from './directory-source.js'
import { type GitBatch, openGitBatch } from './git-batch.js'
import { git } from './git-command.js'
import { pathLister, treeReader } from './git-tree.js'

/**
 * The committed tree of a git repository's HEAD, read through long-lived children. Uncommitted content is
 * never read.
 */
export const openGitSource = (path: string): TreeSource => {
  const batch = openGitBatch(path)
  const sizes = openGitBatch(path, 'sizes')
  const listTree = treeReader(batch, sizes)
  const listPaths = pathLister(path, sizes)
  return {
    kind: 'git',
    path,
    head: () => readHead(path, batch),
    list: async ({ commit }) =>
      commit === null ? { entries: [], skipped: [] } : listTree(await treeOf(batch, commit)),
    listAt: (at, paths) =>
      at.commit === null ? Promise.resolve({ entries: [], skipped: [] }) : listPaths(at.commit, paths),
    read: async entry => {
      const object = await batch.object(entry.blob)
      if (object?.type !== 'blob') throw new LostObject(entry)
      return object.bytes
    },
    file: name => readFileOfHead(path, batch, name),
    contains: ancestorFinder(path, sizes),
    close: () => {
      batch.close()
      sizes.close()
      return Promise.resolve()
    },
  }
}

/** Whether the directory itself is a git checkout, not only inside one. */
export const isGitCheckout = (path: string): boolean => existsSync(join(path, '.git'))

/** The source for a path: git where it is a checkout, otherwise a plain directory. */
export const openTreeSource = (path: string): TreeSource =>
  isGitCheckout(path) ? openGitSource(path) : openDirectorySource(path)

/** Times in milliseconds. */
export interface SourceBounds {
  /** How long one request may take. */
  readonly limitMs: number
  /** How long all requests fail at once after one that took longer. */
  readonly restMs: number
}

/**
 * A source whose disk may stop answering. A request fails after `limitMs`; then every request fails at once
 * for `restMs`. The slow request continues in the background, and its answer is dropped.
 */
export const boundTreeSource = (
  source: TreeSource,
  { limitMs, restMs }: SourceBounds,
  monotonicMs: () => number,
): TreeSource => {
  let restsUntilMs = Number.NEGATIVE_INFINITY
  const inTime = <A>(ask: () => Promise<A>): Promise<A> =>
    new Promise((resolve, reject) => {
      if (monotonicMs() < restsUntilMs) return reject(new Error(silent))
      const timer = setTimeout(() => {
        restsUntilMs = monotonicMs() + restMs
        reject(new Error(silent))
      }, limitMs)
      ask()
        .then(resolve, reject)
        .finally(() => clearTimeout(timer))
    })
  return {
    kind: source.kind,
    path: source.path,
    head: () => inTime(source.head),
    list: head => inTime(() => source.list(head)),
    listAt: (head, paths) => inTime(() => source.listAt(head, paths)),
    read: entry => inTime(() => source.read(entry)),
    file: path => inTime(() => source.file(path)),
    contains: (head, commit) => inTime(() => source.contains(head, commit)),
    close: source.close,
  }
}

const ancestorsMax = 1000

/** The id of the empty tree, which a repository without a commit serves. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** Whether a revision names an object, even an unreadable one. */
const isNamed = async (cwd: string, revision: string): Promise<boolean> =>
  (await git(['rev-parse', '--verify', '--quiet', revision], { cwd })).code === 0

const readHead = async (cwd: string, batch: GitBatch): Promise<Head> => {
  const object = await batch.object('HEAD^{commit}')
  if (object === null && (await isNamed(cwd, 'HEAD')))
    throw new Error('the commit that HEAD names cannot be read; run `git fsck`')
  const commit = object === null ? null : CommitId.decode(object.id)
  return commit === null || isLeft(commit)
    ? { commit: null, id: emptyTree }
    : { commit: commit.right, id: commit.right }
}

const readFileOfHead = async (cwd: string, batch: GitBatch, name: string): ReturnType<TreeSource['file']> => {
  const object = await batch.object(`HEAD:${name}`)
  if (object === null && (await isNamed(cwd, `HEAD:${name}`)))
    throw new Error(`the committed ${name} cannot be read; run \`git fsck\``)
  const blob = BlobId.decode(object?.id)
  return object?.type !== 'blob' || isLeft(blob) ? null : { blob: blob.right, bytes: object.bytes }
}

/** The id of the tree of a commit. */
const treeOf = async (batch: GitBatch, commit: CommitId): Promise<string> => {
  const object = await batch.object(commit)
  const tree = /^tree ([0-9a-f]+)$/m.exec(object?.bytes.toString('latin1') ?? '')?.[1]
  if (tree === undefined) throw new Error(`the commit ${commit} cannot be read; run \`git fsck\``)
  return tree
}

/** Asks git for ancestors, one at a time, and caches the answers: a public route may ask repeatedly. */
const ancestorFinder = (cwd: string, sizes: GitBatch): TreeSource['contains'] => {
  /** By the head and the commit of the question. */
  const ancestors = new Map<string, boolean>()
  let asked: Promise<unknown> = Promise.resolve()
  const isAncestor = async (of: CommitId, commit: CommitId): Promise<boolean> => {
    const known = ancestors.get(`${of} ${commit}`)
    if (known !== undefined) return known
    const result = await git(['merge-base', '--is-ancestor', commit, of], { cwd })
    if (ancestors.size >= ancestorsMax) ancestors.clear()
    ancestors.set(`${of} ${commit}`, result.code === 0)
    return result.code === 0
  }
  return async ({ commit: head }, commit) => {
    if (head === null) return false
    if (head === commit) return true
    // An id without an object here needs no child of its own; for the others, one question runs at a time.
    if ((await sizes.object(commit))?.type !== 'commit') return false
    const answer = asked.then(() => isAncestor(head, commit))
    asked = answer.catch(() => false)
    return answer
  }
}

/** Part of a finding, which players read. */
const silent = 'dysk nie odpowiada'
