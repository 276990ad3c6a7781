import { execFileSync } from 'node:child_process'
import type { CommitId } from '#protocol/atoms/commit.js'
import { gitIn } from './repository.js'
import { commitId } from './sync-hosts.js'

/** A row of a tree: a file's text, or the rows of a folder. */
export type TwinRow = readonly [name: string, content: string | ReadonlyArray<TwinRow>]

/** Makes trees that git itself never makes: rows stay in the given order, with repeated names. */
export interface TwinTrees {
  readonly tree: (rows: ReadonlyArray<TwinRow>) => string
  readonly commit: (rows: ReadonlyArray<TwinRow>, ...parents: ReadonlyArray<string>) => CommitId
}

export const twinTrees = (repo: string): TwinTrees => {
  const write = (type: 'blob' | 'tree', input: Buffer): string =>
    execFileSync('git', ['hash-object', '-w', '--literally', '-t', type, '--stdin'], {
      cwd: repo,
      input,
      encoding: 'utf8',
    }).trim()
  const rowBytes = ([name, content]: TwinRow): ReadonlyArray<Buffer> => {
    const isFile = typeof content === 'string'
    const id = isFile ? write('blob', Buffer.from(content)) : tree(content)
    return [Buffer.from(`${isFile ? '100644' : '40000'} ${name}\0`), Buffer.from(id, 'hex')]
  }
  const tree = (rows: ReadonlyArray<TwinRow>): string => write('tree', Buffer.concat(rows.flatMap(rowBytes)))
  const commit = (rows: ReadonlyArray<TwinRow>, ...parents: ReadonlyArray<string>): CommitId =>
    commitId(gitIn(repo, 'commit-tree', '-m', 'tree', ...parents.flatMap(one => ['-p', one]), tree(rows)))
  return { tree, commit }
}
