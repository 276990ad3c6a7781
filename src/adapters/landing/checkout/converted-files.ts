import { git } from '#src/adapters/git/git-command.js'
import type { GitFolder } from '../git-folder.js'
import type { GitIndex } from '../index/index-file.js'
import { statAt } from '../index/stat-files.js'

/** Whether git's configuration converts line ends or names a file of attributes. */
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

/** Whether attributes of the repository may make git convert files between blob and work tree. */
export const hasAttributes = ({ info }: GitFolder, { entries }: GitIndex): boolean =>
  entries.some(({ name }) => name === attributes || name.endsWith(`/${attributes}`)) || statAt(info) !== null
