import { fileRows, type NamedRow } from '#src/adapters/git/named-rows.js'
import { roleOf } from '#src/domain/lore/layout.js'
import { wholeFiles } from '#src/domain/lore/merging/merge-file.js'
import { recordRules } from '#src/domain/lore/merging/records.js'
import type { ConflictedPath } from '../remote/git-words.js'
import { printedTextOf, type RunGit } from '../remote/run-git.js'
import { findChangedByBoth } from './changed-by-both.js'
import { type BlobReader, mergeBytesMax } from './read-blobs.js'

/** The two commits of a merge and their bases, in order of their names. */
export interface MergeSides {
  readonly bases: ReadonlyArray<string>
  readonly ours: string
  readonly theirs: string
}

const unlinedPaths = [...recordRules.keys(), ...wholeFiles]

/** Files that both sides changed and whose lines git must not merge: lists of records, and whole files. */
const findUnlined = async (run: RunGit, sides: MergeSides): Promise<ReadonlyArray<ConflictedPath>> => {
  const listAt = async (commit: string | undefined): Promise<ReadonlyArray<NamedRow>> =>
    commit === undefined
      ? []
      : fileRows(await printedTextOf(run(['ls-tree', '-z', commit, '--', ...unlinedPaths])))
  return findChangedByBoth({
    base: await listAt(sides.bases[0]),
    ours: await listAt(sides.ours),
    theirs: await listAt(sides.theirs),
  })
}

/** Of these files those that may hold one session on both sides, and are not too large to be merged. */
export const findSessionFiles = async (
  reader: BlobReader,
  files: ReadonlyArray<ConflictedPath>,
): Promise<ReadonlyArray<ConflictedPath>> => {
  const hasHeader = async (id: string | null): Promise<boolean> =>
    id !== null &&
    ((await reader.size(id)) ?? Number.POSITIVE_INFINITY) <= mergeBytesMax &&
    (await reader.read(id)).includes('###')
  const found: Array<ConflictedPath> = []
  for (const file of files)
    if (roleOf(file.path) === 'sessions' && (await hasHeader(file.ours)) && (await hasHeader(file.theirs)))
      found.push(file)
  return found
}

/**
 * With several merge bases git's own base may contain conflict marks; this uses the path's version in the
 * first base.
 */
const withFirstBase = async (
  run: RunGit,
  { bases: [first, second] }: MergeSides,
  files: ReadonlyArray<ConflictedPath>,
): Promise<ReadonlyArray<ConflictedPath>> => {
  if (first === undefined || second === undefined || files.length === 0) return files
  const listed = fileRows((await run(['ls-tree', '-r', '-z', first])).toString('utf8'))
  const blobs = new Map(listed.map(({ path, id }) => [path, id]))
  return files.map(file => ({ ...file, base: blobs.get(file.path) ?? null }))
}

/**
 * Every path that is to be merged by unit or kept whole, once, in order. `conflicted` are those that git
 * reports; `sessions` have sessions and both sides changed them: git would put two lists of one session beside each
 * other.
 */
export const findConflictedPaths = async (
  run: RunGit,
  sides: MergeSides,
  conflicted: ReadonlyArray<ConflictedPath>,
  sessions: ReadonlyArray<ConflictedPath>,
): Promise<ReadonlyArray<ConflictedPath>> => {
  const known = new Set(conflicted.map(({ path }) => path))
  const others = [...(await findUnlined(run, sides)), ...sessions].filter(({ path }) => !known.has(path))
  const files = await withFirstBase(run, sides, [...conflicted, ...others])
  return [...files].sort((one, other) => (one.path < other.path ? -1 : 1))
}
