import { randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunGit } from '../remote/run-git.js'

/** Names of the temporary folders of merges: a kill may leave one. */
export const mergeFolderName = /^sync-merge-[0-9a-f]+$/

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
