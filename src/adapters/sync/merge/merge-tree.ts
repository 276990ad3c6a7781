import { randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms.js'
import type { Conflict } from '#src/domain/lore/merging/units.js'
import { printedTextOf, type RunGit } from '../remote/run-git.js'

/** Names of the temporary folders of merges: a kill may leave one. */
export const mergeFolderName = /^sync-merge-[0-9a-f]+$/

/**
 * The output of `git merge-tree --write-tree -z` for two commits; its objects are in the checkout's own
 * store. Git runs in a temporary folder with no work tree, no attributes and only our configuration: neither
 * a committed `.gitattributes` (`merge=union` keeps rows that were removed), nor `info/attributes`, nor a
 * merge driver or `merge.renormalize` of one host changes the merge, so all hosts make the same tree from the
 * same two commits.
 */
export const mergeTree = async (
  run: RunGit,
  state: string,
  [ours, theirs]: readonly [string, string],
): Promise<Buffer> => {
  const paths = ['--git-path', 'objects', '--git-path', 'shallow']
  const printed = await run(['rev-parse', '--path-format=absolute', ...paths])
  const [objects = '', shallow = ''] = printed.toString('utf8').split('\n')
  const folder = await openFolder(state)
  const env = {
    GIT_DIR: folder,
    GIT_OBJECT_DIRECTORY: objects,
    GIT_SHALLOW_FILE: shallow,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
  }
  try {
    // A person's attributes are beside their configuration, and git reads them even where it ignores that.
    const settings = ['-c', 'core.attributesFile=/dev/null']
    return await run(
      [...settings, 'merge-tree', '--write-tree', '-z', '--no-messages', ours, theirs],
      { cwd: folder, env },
      [0, 1],
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Names of the temporary indexes of trees: a kill may leave one. */
export const treeIndexName = /^sync-index-[0-9a-f]+(\.lock)?$/

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

/** Makes a commit of the daemon; `dates` are git's variables for the two dates. */
export const commitTree = (
  run: RunGit,
  tree: string,
  parents: ReadonlyArray<string>,
  message: string,
  dates: Readonly<Record<string, string>> = {},
): Promise<string> =>
  printedTextOf(
    run(['commit-tree', tree, ...parents.flatMap(parent => ['-p', parent]), '-F', '-'], {
      input: message,
      env: { ...person, ...dates },
    }),
  )

/** Makes a commit as input for git's merge; no ref ever names it. */
export const composeMergeInput = (
  run: RunGit,
  tree: string,
  parents: ReadonlyArray<string>,
): Promise<string> => commitTree(run, tree, parents, 'sync: what git merges\n')

export const composeMerge = async (
  run: RunGit,
  { tree, parents, subject, body, atMs }: MergeCommit,
): Promise<CommitId> => {
  const date = `${Math.floor(atMs / 1000)} +0000`
  const message = [subject, '', ...body, 'Svc-Actor: machine', 'Svc-Route: sync', ''].join('\n')
  const id = await commitTree(run, tree, parents, message, {
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_DATE: date,
  })
  const known = CommitId.decode(id)
  if (isLeft(known)) throw new Error('git commit-tree named no commit')
  return known.right
}

/** The name of a row, block or file in a text for people. */
export const describeConflict = (path: string, { block, row, cause }: Conflict): string =>
  `${path}${block === null ? '' : ` ### ${block}`}${row === null ? '' : ` ${row}`} (${cause})`

export const describeParked = (reasons: ReadonlyArray<string>): ReadonlyArray<string> => [
  'Changes of this host that a merge left out, because others published a different value:',
  ...reasons.map(line => `- ${line}`),
  '',
]

const config =
  '[core]\n\tbare = true\n\trepositoryformatversion = 0\n[merge]\n\trenames = false\n\tdirectoryRenames = false\n'

const openFolder = async (state: string): Promise<string> => {
  const folder = join(state, `sync-merge-${randomBytes(6).toString('hex')}`)
  await mkdir(join(folder, 'refs'), { recursive: true })
  await mkdir(join(folder, 'objects'))
  await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/none\n')
  await writeFile(join(folder, 'config'), config)
  return folder
}

/** A file of the new tree; a null blob removes it. */
interface TreeChange {
  readonly path: string
  readonly mode: string
  readonly blob: string | null
}

const zero = '0'.repeat(40)

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

const person = {
  GIT_AUTHOR_NAME: 'Kronika',
  GIT_AUTHOR_EMAIL: 'kronika@localhost',
  GIT_COMMITTER_NAME: 'Kronika',
  GIT_COMMITTER_EMAIL: 'kronika@localhost',
}

/** A merge commit for the history. */
interface MergeCommit {
  readonly tree: string
  readonly parents: ReadonlyArray<string>
  readonly subject: string
  readonly body: ReadonlyArray<string>
  readonly atMs: number
}
