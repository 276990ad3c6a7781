import type { CommitId } from '#protocol/atoms.js'
import { commitId } from './commit-id.js'
import { storeCommit, storeObject, storeTree } from './plain-git.js'
import { testPerson } from './repository.js'

/** A row of a tree: a file's text, or the rows of a folder. */
export type TwinRow = readonly [name: string, content: string | ReadonlyArray<TwinRow>]

/** Makes trees that git itself never makes: rows stay in the given order, with repeated names. */
export interface TwinTrees {
  readonly tree: (rows: ReadonlyArray<TwinRow>) => string
  readonly commit: (rows: ReadonlyArray<TwinRow>, ...parents: ReadonlyArray<string>) => CommitId
}

export const twinTrees = (repo: string): TwinTrees => {
  const tree = (rows: ReadonlyArray<TwinRow>): string =>
    storeTree(
      repo,
      rows.map(([name, content]) =>
        typeof content === 'string'
          ? ['100644', name, storeObject(repo, 'blob', Buffer.from(content))]
          : ['40000', name, tree(content)],
      ),
    )
  const commit = (rows: ReadonlyArray<TwinRow>, ...parents: ReadonlyArray<string>): CommitId =>
    commitId(storeCommit(repo, tree(rows), parents, 'tree', testPerson()))
  return { tree, commit }
}
