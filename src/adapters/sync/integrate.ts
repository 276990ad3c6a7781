import type { CommitId, Tree } from '#protocol/atoms.js'
import { realDisk } from '#src/adapters/landing/disk.js'
import { gitFolder } from '#src/adapters/landing/failure.js'
import { isIdLines } from '#src/domain/lore/merging/merge-file.js'
import type { Side } from '#src/domain/lore/merging/units.js'
import type { Fetched, Integrated, Parked, RemoteFailure } from '#src/ports/git.js'
import { openBlobReader, openBlobWriter } from './merge/blobs.js'
import {
  chooseArchived,
  findConflictedPaths,
  findLargeFiles,
  findMergeableSides,
  findSessionFiles,
  type MergeSides,
  withoutContested,
} from './merge/contested-paths.js'
import {
  buildTree,
  composeMerge,
  composeMergeInput,
  describeConflict,
  describeParked,
  mergeTree,
} from './merge/merge-tree.js'
import { type MergedBlobs, type ResolutionMemory, resolvePath } from './merge/resolve-path.js'
import { type ConflictedPath, type MergedTree, mergedTreeOf } from './remote/git-words.js'
import { printedTextOf, type RunGit, remoteFailureOf, runGitIn, shallowWords } from './remote/run-git.js'

export interface IntegrateOptions {
  readonly repo: string
  /** The tree that the checkout is; absent: the lore. */
  readonly tree?: Tree
  /** The private state area, for the temporary index of the merged tree. */
  readonly state: string
  readonly remote: string
  /** Yields to the event loop between slices of a merge. */
  readonly breathe: () => Promise<void>
  /** Results of earlier merges of this checkout, so that a merge after a lost race is short. */
  readonly memory: ResolutionMemory
}

/** One running merge: the two commits and its tools. */
export interface Merge {
  readonly options: IntegrateOptions
  readonly run: RunGit
  readonly sides: MergeSides
  readonly signal: AbortSignal
}

/** The tree of a merge, in which the remote's version stands, and what this host had otherwise. */
export interface MergedSides {
  readonly tree: string
  /** Files that git's text merge could not merge and the block and row merge did. */
  readonly resolved: number
  /** Null where nothing was left out. */
  readonly own: {
    readonly tree: string
    readonly files: ReadonlyArray<string>
    readonly reasons: ReadonlyArray<string>
  } | null
}

/**
 * Merges the two sides without a commit: git's text merge first, then block and row. Drops what is no longer cached.
 */
export const mergeSides = async (merge: Merge): Promise<MergedSides> => {
  const { options, run } = merge
  const sides = await findMergeableSides(run, options.state, merge.sides)
  const { tree, conflicted, chosen } = await mergeByGit({ ...merge, sides })
  const resolutions = await resolvePaths(merge, conflicted, chosen)
  options.memory.retain(new Set(conflicted.map(({ path }) => path)))
  const treeOf = (side: 'published' | 'own'): Promise<string> => {
    const changes = resolutions.map(({ file: { path, mode }, [side]: blob }) => ({ path, mode, blob }))
    return changes.length === 0 ? Promise.resolve(tree) : buildTree(run, options.state, tree, changes)
  }
  const open = resolutions.filter(({ conflicts }) => conflicts.length > 0)
  const reasons = open.flatMap(({ file, conflicts }) =>
    conflicts.map(conflict => describeConflict(file.path, conflict)),
  )
  return {
    tree: await treeOf('published'),
    resolved: resolutions.length - open.length,
    own:
      open.length === 0
        ? null
        : { tree: await treeOf('own'), files: open.map(({ file }) => file.path), reasons },
  }
}

/** The note of what a merge left out, as a parked ref has it. */
export const noteParked = (
  commit: CommitId,
  { files, reasons }: NonNullable<MergedSides['own']>,
): Parked => ({
  commit,
  files,
  reason: reasons.slice(0, 20).join('; '),
})

/** The subject of the commit that keeps what a merge left out; `source` is what it was merged with. */
export const parkedSubject = (source: string): string => `sync: this host's word against ${source}`

/**
 * Merges the remote's head into ours without a work tree: git's text merge first, then block and row for what
 * it could not merge (D30). Creates only objects; no ref moves. The remote's version wins, ours is in
 * `parked` (docs/spec/merging.md#parked). The number of git processes does not depend on the number of files.
 */
export const integrateRemote = async (
  options: IntegrateOptions,
  { head, remote, branch }: Fetched,
  atMs: number,
  signal: AbortSignal,
): Promise<Integrated | RemoteFailure> => {
  const run = runGitIn(options.repo, signal)
  const theirs = remote ?? head
  try {
    const bases = await findBases(run, head, theirs)
    if (bases.length === 0) return await failWithoutBase(options, run, branch)
    const { tree, resolved, own } = await mergeSides({
      options,
      run,
      sides: { bases, ours: head, theirs },
      signal,
    })
    const source = `${options.remote}/${branch}`
    const body = own === null ? [] : describeParked(own.reasons)
    const commit = (of: string, subject: string): Promise<CommitId> =>
      composeMerge(run, { tree: of, parents: [head, theirs], subject, body, atMs })
    return {
      _tag: 'Integrated',
      commit: await commit(tree, `sync: merge ${source}`),
      resolved,
      parked: own === null ? null : noteParked(await commit(own.tree, parkedSubject(source)), own),
    }
  } catch (error) {
    return remoteFailureOf(error)
  }
}

interface MergedByGit extends MergedTree {
  /** The files that are one side's as a whole, without a conflict. */
  readonly chosen: ReadonlyMap<string, Side>
}

interface Resolution extends MergedBlobs {
  readonly file: ConflictedPath
}

const findBases = async (run: RunGit, ours: string, theirs: string): Promise<ReadonlyArray<string>> =>
  (await printedTextOf(run(['merge-base', '--all', ours, theirs], {}, [0, 1])))
    .split('\n')
    .filter(Boolean)
    .sort()

/** The result of git's own merge of the two commits, and the paths that it leaves open. */
const mergeByGit = async ({ options, run, sides, signal }: Merge): Promise<MergedByGit> => {
  const { state, tree = 'lore' } = options
  const reader = openBlobReader(options.repo, signal)
  try {
    const { pair, contested, changed, changes } = await withoutContested(
      {
        run,
        treeWithout: (commit, paths) =>
          buildTree(
            run,
            state,
            commit,
            paths.map(path => ({ path, mode: '0', blob: null })),
          ),
        commit: (tree, parents) => composeMergeInput(run, tree, parents),
        findLarge: files => findLargeFiles(reader, files),
      },
      sides,
    )
    const chosen = await chooseArchived(reader, tree, changed, changes)
    const unlined = [
      ...(await findSessionFiles(reader, changed)),
      ...changed.filter(({ path }) => chosen.has(path) || isIdLines(tree, path)),
    ]
    const merged = mergedTreeOf((await mergeTree(run, state, pair)).toString('utf8'))
    if (merged === null) throw new Error('git merge-tree printed no tree')
    const conflicted = [...merged.conflicted, ...contested]
    return {
      tree: merged.tree,
      conflicted: await findConflictedPaths(run, sides, conflicted, unlined),
      chosen,
    }
  } finally {
    reader.close()
  }
}

/** Resolves the paths one after the other; every blob in the result is on disk when it resolves. */
const resolvePaths = async (
  { options: { repo, tree = 'lore', memory, breathe }, signal }: Merge,
  files: ReadonlyArray<ConflictedPath>,
  chosen: MergedByGit['chosen'],
): Promise<ReadonlyArray<Resolution>> => {
  if (files.length === 0) return []
  const reader = openBlobReader(repo, signal)
  const writer = openBlobWriter(realDisk, (await gitFolder(repo)).objects)
  const breatheOn = async (): Promise<void> => {
    signal.throwIfAborted()
    await breathe()
  }
  const ports = { tree, reader, writer, memory, breathe: breatheOn }
  try {
    const resolutions: Array<Resolution> = []
    for (const file of files) {
      await breatheOn()
      const side = chosen.get(file.path)
      const whole = side === undefined ? null : file[side]
      resolutions.push(
        side === undefined
          ? { file, ...(await resolvePath(ports, file)) }
          : { file, published: whole, own: whole, conflicts: [] },
      )
    }
    return resolutions
  } finally {
    // Paths merged before an abort stay cached for the next merge.
    await writer.flush()
    reader.close()
  }
}

/** Where no commit is common: of a shallow clone git does not know the commits that would be. */
const failWithoutBase = async (
  { remote }: IntegrateOptions,
  run: RunGit,
  branch: string,
): Promise<RemoteFailure> => {
  const asked = ['rev-parse', '--is-shallow-repository']
  if ((await printedTextOf(run(asked))) === 'true')
    return { _tag: 'Failed', action: 'shallow_clone', detail: shallowWords(remote) }
  return {
    _tag: 'Failed',
    action: 'no_common_history',
    detail: `${remote}/${branch} and this repository share no commit. Clone one from the other.`,
  }
}
