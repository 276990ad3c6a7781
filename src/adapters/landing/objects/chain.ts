import type { BlobId, CommitId, RepoPath } from '#protocol/atoms.js'
import type { GitBatch } from '#src/adapters/git/git-batch.js'
import type { Draft, SignCommit } from '#src/ports/landing.js'
import {
  blobObject,
  commitObject,
  type GitPerson,
  type MadeObject,
  type NewCommit,
  treeObject,
} from './object-writer.js'
import { editTree, type TreeEdits, type Trees } from './tree-edit.js'

export const kronika: GitPerson = { name: 'Kronika', email: 'kronika@kronika.invalid' }

/** The commits of a batch, each on top of the one before it, with all objects that they need. */
export interface Chain {
  readonly commits: ReadonlyArray<CommitId>
  readonly objects: ReadonlyArray<MadeObject>
  /** The blobs by path after each draft, in the order of the drafts. */
  readonly files: ReadonlyArray<ReadonlyMap<RepoPath, MadeObject<BlobId> | null>>
}

/** Computes the objects of a batch in memory; writes nothing. */
export const chainOf = async (
  batch: GitBatch,
  base: CommitId | null,
  drafts: ReadonlyArray<Draft>,
  atMs: number,
  sign: SignCommit | null = null,
): Promise<Chain> => {
  const trees: Trees = { read: readTree(batch), made: new Map() }
  const blobs: Array<MadeObject> = []
  const commits: Array<MadeObject<CommitId>> = []
  const files: Array<ReadonlyMap<RepoPath, MadeObject<BlobId> | null>> = []
  let tree = await treeOf(batch, base)
  let parent = base
  for (const draft of drafts) {
    const after = new Map(
      [...draft.after].map(([path, bytes]) => [path, bytes === null ? null : blobObject(bytes)]),
    )
    const edits: TreeEdits = new Map(
      [...after].map(([path, blob]) => [path, blob === null ? null : { mode: null, id: blob.id }]),
    )
    tree = await editTree(trees, tree, edits)
    const { author, message } = draft
    const parts = { tree: tree ?? emptyIn(trees), parent, author, committer: kronika, atMs, message }
    const commit = sign === null ? commitObject(parts) : makeSignedCommit(parts, sign)
    blobs.push(...[...after.values()].flatMap(blob => blob ?? []))
    commits.push(commit)
    files.push(after)
    parent = commit.id
  }
  return {
    commits: commits.map(({ id }) => id),
    objects: [...blobs, ...trees.made.values(), ...commits],
    files,
  }
}

const treeOf = async (batch: GitBatch, commit: CommitId | null): Promise<string | null> => {
  if (commit === null) return null
  const object = await batch.object(commit)
  const tree = /^tree ([0-9a-f]+)$/m.exec(object?.bytes.toString('latin1') ?? '')?.[1]
  if (tree === undefined) throw new Error(`the commit ${commit} cannot be read; run \`git fsck\``)
  return tree
}

const readTree =
  (batch: GitBatch) =>
  async (id: string): Promise<Buffer> => {
    const object = await batch.object(id)
    if (object?.type !== 'tree') throw new Error(`the tree ${id} cannot be read; run \`git fsck\``)
    return object.bytes
  }

/** The tree of a repository whose last file was removed. */
const emptyIn = (trees: Trees): string => {
  const empty = treeObject(Buffer.alloc(0))
  trees.made.set(empty.id, empty)
  return empty.id
}

/** The commit with one more trailer, which signs all of its bytes without that trailer. */
const makeSignedCommit = (parts: NewCommit, sign: SignCommit): MadeObject<CommitId> =>
  commitObject({ ...parts, message: `${parts.message}${sign(commitObject(parts).content)}` })
