import { lstat } from 'node:fs/promises'
import { git } from '#src/adapters/git/git-command.js'
import { isCode } from './disk.js'
import type { GitFolder } from './git-folder.js'
import type { GitIndex } from './index-file.js'

const isThere = async (path: string): Promise<boolean> => {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false
    throw error
  }
}

/** Whether the configuration of git sets line ends or names a file of attributes. */
export const hasConversions = async (repo: string): Promise<boolean> => {
  const { stdout } = await git(['config', '--get-regexp', String.raw`^core\.(autocrlf|attributesfile)$`], {
    cwd: repo,
  })
  return stdout
    .toString('utf8')
    .split('\n')
    .some(line => line !== '' && line !== 'core.autocrlf false')
}

const attributes = '.gitattributes'

/** Whether attributes of the repository may have git convert files between the blob and the work tree. */
export const hasAttributes = async ({ info }: GitFolder, { entries }: GitIndex): Promise<boolean> =>
  entries.some(({ name }) => name === attributes || name.endsWith(`/${attributes}`)) || (await isThere(info))
