import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { printedTextOf, type RunGit } from '../remote/run-git.js'

/** A file of the new tree; a null blob removes it. */
export interface TreeChange {
  readonly path: string
  readonly mode: string
  readonly blob: string | null
}

const zero = '0'.repeat(40)

/** Names of the temporary indexes of trees: a kill may leave one. */
export const treeIndexName = /^sync-index-[0-9a-f]+(\.lock)?$/

const lineOf = ({ path, mode, blob }: TreeChange): string =>
  `${blob === null ? '0' : mode} ${blob ?? zero}\t${path}\0`

const inIndexOfItsOwn = async <A>(
  state: string,
  work: (env: Readonly<Record<string, string>>) => Promise<A>,
): Promise<A> => {
  const index = join(state, `sync-index-${randomBytes(6).toString('hex')}`)
  try {
    return await work({ GIT_INDEX_FILE: index })
  } finally {
    await rm(index, { force: true })
    await rm(`${index}.lock`, { force: true })
  }
}

/** Makes the tree of `tree` with these changes, in a temporary index in `state`; returns its id. */
export const buildTree = (
  run: RunGit,
  state: string,
  tree: string,
  changes: ReadonlyArray<TreeChange>,
): Promise<string> =>
  inIndexOfItsOwn(state, async env => {
    await run(['read-tree', tree], { env })
    await run(['update-index', '-z', '--index-info'], { env, input: changes.map(lineOf).join('') })
    return await printedTextOf(run(['write-tree'], { env }))
  })

/** Makes a tree of only these files; of files that exclude each other the last one stays. */
export const buildTreeOf = (run: RunGit, state: string, files: ReadonlyArray<TreeChange>): Promise<string> =>
  inIndexOfItsOwn(state, async env => {
    const args = ['update-index', '--add', '--replace', '-z', '--index-info']
    await run(args, { env, input: files.map(lineOf).join('') })
    return await printedTextOf(run(['write-tree'], { env }))
  })
