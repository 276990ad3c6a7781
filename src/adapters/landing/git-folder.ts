import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gitText } from '#src/adapters/git/git-command.js'

/** Where git keeps what a landing touches; in a linked worktree the folders are not one. */
export interface GitFolder {
  readonly objects: string
  readonly index: string
  readonly head: string
  /** Private files of ours beside the index, on its file system. */
  readonly own: string
}

/** Whether HEAD names a branch: what is committed elsewhere is on no branch when a person's rebase or bisect ends. */
export const isOnBranch = async ({ head }: GitFolder): Promise<boolean> =>
  (await readFile(head, 'utf8')).startsWith('ref: refs/heads/')

/** Asks git once where its files lie. */
export const gitFolder = async (repo: string): Promise<GitFolder> => {
  const named = await gitText(
    ['rev-parse', '--path-format=absolute', '--git-path', 'objects', '--git-path', 'index', '--git-dir'],
    { cwd: repo },
  )
  const [objects, index, directory] = named.split('\n')
  if (objects === undefined || index === undefined || directory === undefined)
    throw new Error('git does not tell where its objects lie')
  return { objects, index, head: join(directory, 'HEAD'), own: join(directory, 'kronika') }
}
