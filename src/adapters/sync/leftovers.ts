import { readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gitFolder } from '../landing/git-folder.js'
import { mergeFolderName } from './merge-tree.js'

const filesBelow = async (folder: string): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(folder, { recursive: true, encoding: 'utf8' }).catch(() => [])
  return entries.map(name => join(folder, name))
}

/**
 * Removes what a killed git of ours left: locks of refs below `refs/svc/`, which only this daemon writes, and
 * indexes and folders that merges were made in. Only before a fetch, when no git of ours lives. Locks of any
 * other ref may be a person's.
 */
export const sweepLeftovers = async (repo: string, state: string): Promise<void> => {
  const { objects } = await gitFolder(repo)
  const locks = (await filesBelow(join(dirname(objects), 'refs/svc'))).filter(path => path.endsWith('.lock'))
  const indexes = await readdir(state)
  const drafts = indexes.filter(name => /^sync-index-[0-9a-f]+(\.lock)?$/.test(name))
  const folders = indexes.filter(name => mergeFolderName.test(name))
  const left = [...drafts, ...folders].map(name => join(state, name))
  for (const path of [...locks, ...left]) await rm(path, { recursive: true, force: true })
}
