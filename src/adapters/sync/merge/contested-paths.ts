import type { ConflictedPath } from '../remote/git-words.js'
import type { RunGit } from '../remote/run-git.js'
import type { MergeSides } from './conflicted-paths.js'

/** What a side did to a file of the base. */
interface Change {
  /** Null where the side added it. */
  readonly base: string | null
  /** Null where the side removed it. */
  readonly blob: string | null
  readonly mode: string
  /** Whether the side changed the mode of the file. */
  readonly hasNewMode: boolean
}

/** Parses the output of `git diff-tree --raw -z` without renames. */
export const pathChangesOf = (output: string): ReadonlyMap<string, Change> => {
  const changes = new Map<string, Change>()
  const words = output.split('\0')
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [head = '', path = ''] = [words[at], words[at + 1]]
    const [, before = '', after = '', base, blob] =
      /^:(\d{6}) (\d{6}) ([0-9a-f]{40}) ([0-9a-f]{40}) [A-Z]\d*$/.exec(head) ?? []
    if (base === undefined || blob === undefined) continue
    const [isNew, isGone] = [before === '000000', after === '000000']
    changes.set(path, {
      base: isNew ? null : base,
      blob: isGone ? null : blob,
      mode: isGone ? before : after,
      hasNewMode: !isGone && before !== after,
    })
  }
  return changes
}

/**
 * Files that one side removed and the other changed or removed too: git would look for them under another
 * name.
 */
export const findContestedPaths = (
  ours: ReadonlyMap<string, Change>,
  theirs: ReadonlyMap<string, Change>,
): ReadonlyArray<ConflictedPath> =>
  [...ours].flatMap(([path, own]) => {
    const other = theirs.get(path)
    if (other === undefined || (own.blob !== null && other.blob !== null)) return []
    const { mode } = own.blob === null ? other : own
    return [{ path, mode, base: own.base, ours: own.blob, theirs: other.blob }]
  })

/** Files whose text both sides changed or added differently. */
export const findChangedPaths = (
  ours: ReadonlyMap<string, Change>,
  theirs: ReadonlyMap<string, Change>,
): ReadonlyArray<ConflictedPath> =>
  [...ours].flatMap(([path, own]) => {
    const other = theirs.get(path)
    if (other === undefined || own.blob === null || other.blob === null || own.blob === other.blob) return []
    if (!own.mode.startsWith('100') || !other.mode.startsWith('100')) return []
    const { mode } = own.hasNewMode ? own : other
    return [{ path, mode, base: own.base, ours: own.blob, theirs: other.blob }]
  })

/** The tools that make the commits of a merge. */
export interface Making {
  readonly run: RunGit
  /** The tree of a commit without these paths. */
  readonly treeWithout: (commit: string, paths: ReadonlyArray<string>) => Promise<string>
  readonly commit: (tree: string, parents: ReadonlyArray<string>) => Promise<string>
  /** The files with a text too large for git's line merge. */
  readonly findLarge: (files: ReadonlyArray<ConflictedPath>) => Promise<ReadonlyArray<ConflictedPath>>
}

/**
 * The two commits to merge, without the files that git must not see. Git's merge takes a removed file for
 * renamed where the same side added a similar one, moves the other side's changes there, and (before 2.50)
 * cannot be told otherwise. So a file that one side removed and the other changed or removed too is in none
 * of the commits that git merges; where a side changed it, that is a conflict. The same applies to a large
 * file that both sides changed: git compares lines in quadratic time. Of several bases the first one counts.
 */
export const withoutContested = async (
  { run, treeWithout, commit, findLarge }: Making,
  { bases, ours, theirs }: MergeSides,
): Promise<{
  readonly pair: readonly [string, string]
  readonly contested: ReadonlyArray<ConflictedPath>
  /** The files whose text both sides changed, contested ones too. */
  readonly changed: ReadonlyArray<ConflictedPath>
}> => {
  const changes = async (side: string): Promise<ReadonlyMap<string, Change>> => {
    const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--full-index', bases[0] ?? side, side]
    return pathChangesOf((await run(args)).toString('utf8'))
  }
  const [own, others] = [await changes(ours), await changes(theirs)]
  const changed = findChangedPaths(own, others)
  const contested = [...findContestedPaths(own, others), ...(await findLarge(changed))]
  if (contested.length === 0) return { pair: [ours, theirs], contested, changed }
  const paths = contested.map(({ path }) => path)
  const parentsOf = async (base: string): Promise<ReadonlyArray<string>> =>
    (await run(['rev-parse', `${base}^@`])).toString('utf8').split('\n').filter(Boolean)
  const roots: Array<string> = []
  for (const base of bases) roots.push(await commit(await treeWithout(base, paths), await parentsOf(base)))
  const pair = [
    await commit(await treeWithout(ours, paths), roots),
    await commit(await treeWithout(theirs, paths), roots),
  ] as const
  return { pair, contested: contested.filter(file => file.ours !== null || file.theirs !== null), changed }
}
