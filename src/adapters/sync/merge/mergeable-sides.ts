import { listRows, type NamedRow, parseNamedRows, twinPaths } from '#src/adapters/git/named-rows.js'
import { refuseTwins } from '#src/adapters/git/refuse-path.js'
import type { RunGit } from '../remote/run-git.js'
import { buildTreeOf } from './build-tree.js'
import { composeMergeInput } from './compose-commits.js'
import type { MergeSides } from './conflicted-paths.js'

/** A commit to merge, with its listed files. */
interface Listed {
  readonly commit: string
  readonly rows: ReadonlyArray<NamedRow>
  readonly twins: ReadonlySet<string>
}

/**
 * The sides of a merge with every name once. Git drops a name from the merge that a side or a base has twice,
 * so such a tree is replaced by one that keeps the last file of the name, as git's index does: a repair by
 * the remote is then an ordinary change. Throws where the remote has a name twice, and where this host has
 * one twice that no base has twice: nothing tells which of the two files is meant.
 */
export const findMergeableSides = async (
  run: RunGit,
  state: string,
  { bases, ours, theirs }: MergeSides,
): Promise<MergeSides> => {
  const list = async (commit: string): Promise<Listed> => {
    const rows = parseNamedRows((await run(listRows(commit))).toString('utf8'))
    return { commit, rows, twins: twinPaths(rows) }
  }
  const [own, other] = [await list(ours), await list(theirs)]
  const roots: Array<Listed> = []
  for (const base of bases) roots.push(await list(base))
  const known = new Set(roots.flatMap(({ twins }) => [...twins]))
  refuseTwins(other.twins)
  refuseTwins([...own.twins].filter(path => !known.has(path)))
  if (known.size === 0) return { bases, ours, theirs }

  const treeOf = ({ rows }: Listed): Promise<string> =>
    buildTreeOf(
      run,
      state,
      rows.flatMap(({ mode, type, id, path }) => (type === 'tree' ? [] : [{ path, mode, blob: id }])),
    )
  const parentsOf = async (commit: string): Promise<ReadonlyArray<string>> =>
    (await run(['rev-parse', `${commit}^@`])).toString('utf8').split('\n').filter(Boolean)
  const commits: Array<string> = []
  for (const base of roots)
    commits.push(await composeMergeInput(run, await treeOf(base), await parentsOf(base.commit)))
  return {
    bases: commits,
    ours: await composeMergeInput(run, await treeOf(own), commits),
    theirs: await composeMergeInput(run, await treeOf(other), commits),
  }
}
