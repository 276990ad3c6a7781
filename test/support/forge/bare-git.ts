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
export const openBare = async (path: string): Promise<BareGit> => {
  const git = async (...args: ReadonlyArray<string>): Promise<string> => gitIn(path, ...person, ...args)
  if (!existsSync(path)) initPlainly(path, true)
  else if ((await git('rev-parse', '--is-bare-repository')) !== 'true')
    throw new Error(`${path} is no bare repository; name one, or a path where nothing is`)
  appendFileSync(join(path, 'config'), settings)

  const tip = async (branch: string): Promise<string | null> => {
    const commit = readCommit(path, `refs/heads/${branch}`)
    if (commit !== null || !existsSync(join(path, 'packed-refs'))) return commit
    return git('rev-parse', '-q', '--verify', `refs/heads/${branch}^{commit}`).catch(() => null)
  }
  const mergeTree = (source: string, target: string): Promise<string> =>
    git('merge-tree', '--write-tree', target, source).then(text => text.split('\n')[0] ?? '')
  const tipOf = async (branch: string): Promise<string> => {
    const commit = await tip(branch)
    if (commit === null) throw new Error(`no branch ${branch}`)
    return commit
  }
  return {
    tip,
    canMerge: async (source, target) =>
      mergeTree(await tipOf(source), await tipOf(target)).then(
        () => true,
        () => false,
      ),
    hasMerged: async (source, target) =>
      (await git('rev-list', '--max-count=1', `${await tipOf(target)}..${await tipOf(source)}`)) === '',
    merge: async ({ source, target, message, isSquashed }) => {
      const [from, to] = [await tipOf(source), await tipOf(target)]
      const parents = isSquashed ? [to] : [to, from]
      const tree = await mergeTree(from, to)
      const commit = await git('commit-tree', tree, ...parents.flatMap(one => ['-p', one]), '-m', message)
      await git('update-ref', `refs/heads/${target}`, commit, to)
      return commit
    },
  }
}
