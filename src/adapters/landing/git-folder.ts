import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gitText } from '#src/adapters/git/git-command.js'

/** Where git keeps what a landing touches; in a linked worktree these are different folders. */
export interface GitFolder {
  readonly objects: string
  readonly index: string
  readonly head: string
  /** The attributes of this clone, which are not committed. */
  readonly info: string
  /** Our private files beside the index, on its file system. */
  readonly own: string
}

/**
 * Whether HEAD names a branch. A commit made otherwise is on no branch when a person's rebase or bisect ends.
 */
export const isOnBranch = async ({ head }: GitFolder): Promise<boolean> =>
  (await readFile(head, 'utf8')).startsWith('ref: refs/heads/')

/** Asks git where its files are. */
export const gitFolder = async (repo: string): Promise<GitFolder> => {
  const named = await gitText(
    [
      ...['rev-parse', '--path-format=absolute', '--git-dir'],
      ...['objects', 'index', 'info/attributes'].flatMap(path => ['--git-path', path]),
    ],
    { cwd: repo },
  )
  const [directory, objects, index, info] = named.split('\n')
  if (directory === undefined || objects === undefined || index === undefined || info === undefined)
    throw new Error('git did not say where its objects are')
  return { objects, index, info, head: join(directory, 'HEAD'), own: join(directory, 'kronika') }
}
