import { readTree, storeCommit, storeObject, storeTree, type TreeRow, treeOf } from './plain-git.js'
import { headIn, type Repository, testPerson } from './repository.js'

type GitFolder = Pick<Repository, 'path' | 'git'>

const perTree = 1000

/** Commits a tree on top of HEAD; does not touch the index and the work tree. */
const commitTree = (repository: GitFolder, tree: string): string => {
  const commit = storeCommit(repository.path, tree, [headIn(repository.path)], 'tree', testPerson())
  repository.git('update-ref', 'HEAD', commit)
  return commit
}

const rowsOf = ({ path }: GitFolder, tree: string | null): ReadonlyArray<TreeRow> =>
  tree === null ? [] : readTree(path, tree)

/** As git sorts the rows of a tree: a folder as if its name ended in `/`. */
const sortName = ([mode, name]: TreeRow): Buffer => Buffer.from(mode === '40000' ? `${name}/` : name)

const storeSorted = ({ path }: GitFolder, rows: ReadonlyArray<TreeRow>): string =>
  storeTree(
    path,
    rows.toSorted((one, other) => Buffer.compare(sortName(one), sortName(other))),
  )

/**
 * Commits a million paths beside those of HEAD: one folder of a thousand files, a thousand times. No host can
 * load it, and it costs two tree objects.
 */
export const commitMillionPaths = (repository: GitFolder): string => {
  const blob = storeObject(repository.path, 'blob', Buffer.from('x\n'))
  const files = Array.from({ length: perTree }, (_, at): TreeRow => ['100644', `plik-${at}.md`, blob])
  const folder = storeSorted(repository, files)
  const folders = Array.from({ length: perTree }, (_, at): TreeRow => ['40000', `folder-${at}`, folder])
  const kept = rowsOf(repository, treeOf(repository.path, headIn(repository.path)))
  return commitTree(repository, storeSorted(repository, [...kept, ...folders]))
}

/** The tree with another text at a path, or without the path. Does not read sibling trees. */
const treeWith = (repository: GitFolder, tree: string | null, path: string, text: string | null): string => {
  const [name = '', ...below] = path.split('/')
  const rows = rowsOf(repository, tree)
  const kept = rows.filter(row => row[1] !== name)
  const add = (): ReadonlyArray<TreeRow> => {
    const known = rows.find(row => row[1] === name)
    if (below.length > 0)
      return [['40000', name, treeWith(repository, known?.[2] ?? null, below.join('/'), text)]]
    return text === null ? [] : [['100644', name, storeObject(repository.path, 'blob', Buffer.from(text))]]
  }
  return storeSorted(repository, [...kept, ...add()])
}

/** Commits other texts (null: removed) on top of HEAD, based on the tree of `base`, however large that is. */
export const commitUnchecked = (
  repository: GitFolder,
  files: Readonly<Record<string, string | null>>,
  base = headIn(repository.path),
): string => {
  let tree = treeOf(repository.path, base)
  for (const [path, text] of Object.entries(files)) tree = treeWith(repository, tree, path, text)
  if (tree === null) throw new Error(`no loose commit ${base}`)
  return commitTree(repository, tree)
}
