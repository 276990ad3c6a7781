import { readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { countStaleLock } from '../landing/count-lock.js'
import { gitFolder } from '../landing/git-folder.js'
import { treeIndexName } from './merge/build-tree.js'
import { mergeFolderName } from './merge/merge-tree.js'
import { isMergeDraft } from './merge/write-blobs.js'

const filesBelow = async (folder: string): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(folder, { recursive: true, encoding: 'utf8' }).catch(() => [])
  return entries.map(name => join(folder, name))
}

/**
 * Removes what a killed git or merge of ours left: locks of refs below `refs/svc/`, which only this daemon
 * writes, temporary indexes and folders of merges, and unfinished objects. Call it only before a fetch, when
 * no git of ours is alive. Locks of any other ref may be a person's.
 */
export const sweepLeftovers = async (repo: string, state: string): Promise<void> => {
  const { objects } = await gitFolder(repo)
  const locks = (await filesBelow(join(dirname(objects), 'refs/svc'))).filter(path => path.endsWith('.lock'))
  const indexes = await readdir(state)
  const drafts = indexes.filter(name => treeIndexName.test(name))
  const folders = indexes.filter(name => mergeFolderName.test(name))
  const objectDrafts = (await readdir(objects)).filter(isMergeDraft).map(name => join(objects, name))
  const left = [...objectDrafts, ...[...drafts, ...folders].map(name => join(state, name))]
  for (const path of locks) countStaleLock(path)
  for (const path of [...locks, ...left]) await rm(path, { recursive: true, force: true })
}
