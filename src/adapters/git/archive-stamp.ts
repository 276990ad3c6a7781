import { realpath } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import type { CommitId } from '#protocol/atoms.js'
import { judgeCheckout, type TreeRule } from './corpus-tree.js'
import { git } from './git-command.js'

/** The lore, and which trees outside it may be read. */
export interface Archive {
  readonly repo: string
  readonly rule: TreeRule
}

/**
 * The stamp of the transcript archive: the id of its tree, which is the same on every host that has the same
 * transcripts. `named` is `corpora.logi`. Null where it names neither a checkout that may be read nor a folder of the
 * lore, or git does not answer. Never rejects.
 */
export const readArchiveStamp = async (
  archive: Archive,
  named: string,
  commit: CommitId,
): Promise<string | null> => {
  try {
    return named === ''
      ? await readTreeAt(archive.repo, commit, folderOfLore)
      : await readNamedTree(archive, named, commit)
  } catch {
    return null
  }
}

/**
 * Makes a function that reads the stamp at a commit, by `readArchiveStamp`. A folder of the lore is read once in a row
 * for each commit, because its tree never changes; what `corpora.logi` names may change beside the commit.
 */
export const archiveStampReader = (archive: Archive, named: string) => {
  let last: { readonly commit: CommitId; readonly stamp: string } | null = null
  return async (commit: CommitId): Promise<string | null> => {
    if (last?.commit === commit) return last.stamp
    const stamp = await readArchiveStamp(archive, named, commit)
    if (named === '' && stamp !== null) last = { commit, stamp }
    return stamp
  }
}

/** The folder of the lore that has the transcripts, where `corpora.logi` is empty. */
const folderOfLore = 'logi'

const limits = { limitMs: 5_000, outputBytesMax: 65_536 }

/** The id of git's empty tree, which stands for a folder that the commit does not have. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

const treeRow = /^040000 tree ([0-9a-f]+)\t/

/** The id of a folder's tree in a commit. Null where git does not say. */
const readTreeAt = async (repo: string, commit: CommitId, folder: string): Promise<string | null> => {
  const args = ['ls-tree', '-d', '-z', '--full-tree', commit, '--', folder]
  const { code, stdout } = await git(args, { cwd: repo, ...limits })
  return code === 0 ? (treeRow.exec(stdout.toString('utf8'))?.[1] ?? emptyTree) : null
}

/** The id of the tree of a checkout's HEAD. Null where git does not say. */
const readTreeOfHead = async (checkout: string): Promise<string | null> => {
  const args = ['-C', checkout, 'rev-parse', '--verify', '--quiet', 'HEAD^{tree}']
  const { code, stdout } = await git(args, { cwd: '/', ...limits })
  return code === 0 ? stdout.toString('utf8').trim() : null
}

/** The tree that `corpora.logi` names: a checkout, or a folder inside the lore. */
const readNamedTree = async (
  { repo, rule }: Archive,
  named: string,
  commit: CommitId,
): Promise<string | null> => {
  const path = isAbsolute(named) ? resolve(named) : resolve(repo, named)
  const args = ['-C', path, 'rev-parse', '--show-toplevel', '--show-prefix']
  const { code, stdout } = await git(args, { cwd: '/', ...limits })
  if (code !== 0) return null
  const [top = '', prefix = ''] = stdout.toString('utf8').split('\n')
  if (prefix === '') return (await judgeCheckout(repo, top, rule)) === null ? null : readTreeOfHead(top)
  return top === (await realpath(repo)) ? readTreeAt(repo, commit, prefix.replace(/\/$/, '')) : null
}
