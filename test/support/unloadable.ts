import { execFileSync } from 'node:child_process'
import type { Repository } from './repository.js'

type GitFolder = Pick<Repository, 'path' | 'git'>

const perTree = 1000

const pipeGit = (repository: GitFolder, input: string, ...args: ReadonlyArray<string>): string =>
  execFileSync('git', args, { cwd: repository.path, input, encoding: 'utf8' }).trim()

/** Commits a tree on top of HEAD; does not touch the index and the work tree. */
const commitTree = (repository: GitFolder, tree: string): string => {
  const commit = repository.git('commit-tree', tree, '-p', 'HEAD', '-m', 'tree')
  repository.git('update-ref', 'HEAD', commit)
  return commit
}

/**
 * Commits a million paths beside those of HEAD: one folder of a thousand files, a thousand times. No host can
 * load it, and it costs two tree objects.
 */
export const commitMillionPaths = (repository: GitFolder): string => {
  const blob = pipeGit(repository, 'x\n', 'hash-object', '-w', '--stdin')
  const files = Array.from({ length: perTree }, (_, at) => `100644 blob ${blob}\tplik-${at}.md\n`)
  const folder = pipeGit(repository, files.join(''), 'mktree')
  const folders = Array.from({ length: perTree }, (_, at) => `040000 tree ${folder}\tfolder-${at}\n`)
  return commitTree(
    repository,
    pipeGit(repository, `${repository.git('ls-tree', 'HEAD')}\n${folders.join('')}`, 'mktree'),
  )
}

/** The tree with another text at a path, or without the path. Does not read sibling trees. */
const treeWith = (repository: GitFolder, tree: string, path: string, text: string | null): string => {
  const [name = '', ...below] = path.split('/')
  const rows = repository.git('ls-tree', tree).split('\n')
  const row = rows.find(line => line.endsWith(`\t${name}`))
  const kept = rows.filter(line => line !== '' && line !== row)
  const add = (): ReadonlyArray<string> => {
    if (below.length > 0)
      return [
        `040000 tree ${treeWith(repository, row?.split(/[ \t]/)[2] ?? emptyTree, below.join('/'), text)}\t${name}`,
      ]
    if (text === null) return []
    return [`100644 blob ${pipeGit(repository, text, 'hash-object', '-w', '--stdin')}\t${name}`]
  }
  return pipeGit(repository, [...kept, ...add()].map(line => `${line}\n`).join(''), 'mktree')
}

const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** Commits other texts (null: removed) on top of HEAD, based on the tree of `base`, however large that is. */
export const commitUnchecked = (
  repository: GitFolder,
  files: Readonly<Record<string, string | null>>,
  base = 'HEAD',
): string => {
  let tree = repository.git('rev-parse', `${base}^{tree}`)
  for (const [path, text] of Object.entries(files)) tree = treeWith(repository, tree, path, text)
  return commitTree(repository, tree)
}
