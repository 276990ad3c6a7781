import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { initPlainly, readCommit } from '../plain-git.js'
import { gitIn } from '../repository.js'

const person = ['-c', 'user.name=Forge', '-c', 'user.email=forge@example.org']

/** A push over HTTP is taken; a push of a daemon is never forced and deletes nothing (S14). */
const settings =
  '[http]\n\treceivepack = true\n[receive]\n\tdenyNonFastForwards = true\n\tdenyDeletes = true\n'

export interface BranchMerge {
  readonly source: string
  readonly target: string
  readonly message: string
  /** Whether the merge commit has the target as its only parent. */
  readonly isSquashed: boolean
}

/** Git in the bare repository of the double. */
export interface BareGit {
  /** The commit of a branch; null where there is no such branch. */
  readonly tip: (branch: string) => Promise<string | null>
  /** Whether the source merges into the target without a conflict. */
  readonly canMerge: (source: string, target: string) => Promise<boolean>
  /** Whether the target has every commit of the source. */
  readonly hasMerged: (source: string, target: string) => Promise<boolean>
  /** Merges and moves the target; returns the new commit. Rejects where that is not possible. */
  readonly merge: (merge: BranchMerge) => Promise<string>
}

/** Opens the bare repository at a path, which is created where nothing is there. */
export const openBare = (path: string): BareGit => {
  const git = (...args: ReadonlyArray<string>): string => gitIn(path, ...person, ...args)
  if (!existsSync(path)) initPlainly(path, true)
  else if (git('rev-parse', '--is-bare-repository') !== 'true')
    throw new Error(`${path} is no bare repository; name one, or a path where nothing is`)
  appendFileSync(join(path, 'config'), settings)

  const findTip = (branch: string): string | null => {
    const commit = readCommit(path, `refs/heads/${branch}`)
    if (commit !== null || !existsSync(join(path, 'packed-refs'))) return commit
    const [found = ''] = git('for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`).split('\n')
    return found === '' ? null : found
  }
  const tipOf = (branch: string): string => {
    const commit = findTip(branch)
    if (commit === null) throw new Error(`no branch ${branch}`)
    return commit
  }
  /** The tree of the merge. Throws where it has a conflict. */
  const mergeTree = (source: string, target: string): string =>
    git('merge-tree', '--write-tree', target, source).split('\n')[0] ?? ''
  const canMerge = (source: string, target: string): boolean => {
    const [from, to] = [tipOf(source), tipOf(target)]
    try {
      mergeTree(from, to)
      return true
    } catch {
      return false
    }
  }
  return {
    tip: async branch => Promise.resolve(findTip(branch)),
    canMerge: async (source, target) => Promise.resolve(canMerge(source, target)),
    hasMerged: async (source, target) =>
      Promise.resolve(git('rev-list', '--max-count=1', `${tipOf(target)}..${tipOf(source)}`) === ''),
    merge: async ({ source, target, message, isSquashed }) => {
      const [from, to] = [tipOf(source), tipOf(target)]
      const parents = isSquashed ? [to] : [to, from]
      const tree = mergeTree(from, to)
      const commit = git('commit-tree', tree, ...parents.flatMap(one => ['-p', one]), '-m', message)
      git('update-ref', `refs/heads/${target}`, commit, to)
      return Promise.resolve(commit)
    },
  }
}
