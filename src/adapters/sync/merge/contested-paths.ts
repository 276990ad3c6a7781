import type { Tree } from '#protocol/atoms.js'
import {
  fileRows,
  listRows,
  type NamedRow,
  parseNamedRows,
  refuseTwins,
  twinPaths,
} from '#src/adapters/git/named-folder.js'
import { roleOf } from '#src/domain/lore/layout.js'
import { isArchived, wholeFiles } from '#src/domain/lore/merging/merge-file.js'
import { recordRules } from '#src/domain/lore/merging/records.js'
import type { Side, Three } from '#src/domain/lore/merging/units.js'
import type { ConflictedPath } from '../remote/git-words.js'
import { printedTextOf, type RunGit } from '../remote/run-git.js'
import { type BlobReader, mergeBytesMaxOf } from './blobs.js'
import { buildTreeOf, composeMergeInput } from './merge-tree.js'

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
  /** What each side changed, by path. */
  readonly changes: Changes
}> => {
  const changes = async (side: string): Promise<ReadonlyMap<string, Change>> => {
    const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--full-index', bases[0] ?? side, side]
    return pathChangesOf((await run(args)).toString('utf8'))
  }
  const [own, others] = [await changes(ours), await changes(theirs)]
  const changed = findChangedPaths(own, others)
  const contested = [...findContestedPaths(own, others), ...(await findLarge(changed))]
  const both = { ours: own, theirs: others }
  if (contested.length === 0) return { pair: [ours, theirs], contested, changed, changes: both }
  const paths = contested.map(({ path }) => path)
  const parentsOf = async (base: string): Promise<ReadonlyArray<string>> =>
    (await run(['rev-parse', `${base}^@`])).toString('utf8').split('\n').filter(Boolean)
  const roots: Array<string> = []
  for (const base of bases) roots.push(await commit(await treeWithout(base, paths), await parentsOf(base)))
  const pair = [
    await commit(await treeWithout(ours, paths), roots),
    await commit(await treeWithout(theirs, paths), roots),
  ] as const
  const open = contested.filter(file => file.ours !== null || file.theirs !== null)
  return { pair, contested: open, changed, changes: both }
}

/** Files that both sides have and that they changed, or added, differently. */
export const findChangedByBoth = ({
  base,
  ours,
  theirs,
}: Three<ReadonlyArray<NamedRow>>): ReadonlyArray<ConflictedPath> => {
  const [bases, others] = [indexByPath(base), indexByPath(theirs)]
  return ours.flatMap(({ path, mode, id }) => {
    const other = others.get(path)
    const before = bases.get(path)?.id ?? null
    const differ = other !== undefined && id !== other.id && id !== before && other.id !== before
    return differ ? [{ path, mode, base: before, ours: id, theirs: other.id }] : []
  })
}

/** The two commits of a merge and their bases, in order of their names. */
export interface MergeSides {
  readonly bases: ReadonlyArray<string>
  readonly ours: string
  readonly theirs: string
}

/** What the two sides of a merge changed, by path. */
export interface Changes {
  readonly ours: ReadonlyMap<string, Change>
  readonly theirs: ReadonlyMap<string, Change>
}

/**
 * The side of each file of an archived transcript that both sides changed. The longer text is kept, with the sidecar
 * that was made from it; where the text is one, the longer sidecar. Equal lengths are decided by the ids, so that every
 * host keeps the same.
 */
export const chooseArchived = async (
  reader: BlobReader,
  tree: Tree,
  files: ReadonlyArray<ConflictedPath>,
  { ours, theirs }: Changes,
): Promise<ReadonlyMap<string, Side>> => {
  const longer = async (mine: string | null, other: string | null): Promise<Side> => {
    if (mine === null || other === null) return mine === null ? 'theirs' : 'ours'
    const more = ((await reader.size(mine)) ?? 0) - ((await reader.size(other)) ?? 0)
    return more > 0 || (more === 0 && mine > other) ? 'ours' : 'theirs'
  }
  const sides = new Map<string, Side>()
  for (const file of files) {
    if (!isArchived(tree, file.path)) continue
    const text = file.path.replace(/\.json$/u, '.txt')
    const [mine, other] = [ours.get(text), theirs.get(text)]
    if (mine?.blob === other?.blob) sides.set(file.path, await longer(file.ours, file.theirs))
    else sides.set(file.path, await longer(mine?.blob ?? null, other?.blob ?? null))
  }
  return sides
}

/** Of these files those that may hold one session on both sides, and are not too large to be merged. */
export const findSessionFiles = async (
  reader: BlobReader,
  files: ReadonlyArray<ConflictedPath>,
): Promise<ReadonlyArray<ConflictedPath>> => {
  const hasHeader = async (path: string, id: string | null): Promise<boolean> =>
    id !== null &&
    ((await reader.size(id)) ?? Number.POSITIVE_INFINITY) <= mergeBytesMaxOf(path) &&
    (await reader.read(id)).includes('###')
  const found: Array<ConflictedPath> = []
  for (const file of files)
    if (
      roleOf(file.path) === 'sessions' &&
      (await hasHeader(file.path, file.ours)) &&
      (await hasHeader(file.path, file.theirs))
    )
      found.push(file)
  return found
}

/**
 * Every path that is to be merged by unit or kept whole, once, in order. `conflicted` are those that git
 * reports; `unlined` are those that both sides changed and whose lines git must not merge, such as files of sessions:
 * git would put two lists of one session beside each other.
 */
export const findConflictedPaths = async (
  run: RunGit,
  sides: MergeSides,
  conflicted: ReadonlyArray<ConflictedPath>,
  unlined: ReadonlyArray<ConflictedPath>,
): Promise<ReadonlyArray<ConflictedPath>> => {
  const known = new Set(conflicted.map(({ path }) => path))
  const others = [...(await findUnlined(run, sides)), ...unlined].filter(({ path }) => !known.has(path))
  const files = await withFirstBase(run, sides, [...conflicted, ...others])
  return [...files].sort((one, other) => (one.path < other.path ? -1 : 1))
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

/** The files of which one of the three texts is too large for git's line merge. */
export const findLargeFiles = async (
  reader: BlobReader,
  files: ReadonlyArray<ConflictedPath>,
): Promise<ReadonlyArray<ConflictedPath>> => {
  const large: Array<ConflictedPath> = []
  for (const file of files)
    for (const id of [file.base, file.ours, file.theirs])
      if (id !== null && (await isLarge(reader, id))) {
        large.push(file)
        break
      }
  return large
}

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

/**
 * Files that one side removed and the other changed or removed too: git would look for them under another
 * name.
 */
const findContestedPaths = (
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
const findChangedPaths = (
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
interface Making {
  readonly run: RunGit
  /** The tree of a commit without these paths. */
  readonly treeWithout: (commit: string, paths: ReadonlyArray<string>) => Promise<string>
  readonly commit: (tree: string, parents: ReadonlyArray<string>) => Promise<string>
  /** The files with a text too large for git's line merge. */
  readonly findLarge: (files: ReadonlyArray<ConflictedPath>) => Promise<ReadonlyArray<ConflictedPath>>
}

/** Rows by path; the first one of a path that is listed twice. */
const indexByPath = (rows: ReadonlyArray<NamedRow>): ReadonlyMap<string, NamedRow> => {
  const index = new Map<string, NamedRow>()
  for (const row of rows) {
    const { path } = row
    if (!index.has(path)) index.set(path, row)
  }
  return index
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

/** A commit to merge, with its listed files. */
interface Listed {
  readonly commit: string
  readonly rows: ReadonlyArray<NamedRow>
  readonly twins: ReadonlySet<string>
}

/**
 * The largest text that git merges by line, in lines and bytes. Git's time grows with the square of the
 * conflicting lines, and a merge must end within its limit.
 */
const gitMergeMax = { lines: 10_000, bytes: 512 * 1024 }

const newline = 10

const countLines = (bytes: Buffer): number => {
  let count = 0
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count += 1
  return count
}

const isLarge = async (reader: BlobReader, id: string): Promise<boolean> => {
  const size = (await reader.size(id)) ?? 0
  // A line has a newline, so a text with fewer bytes than the line limit need not be read.
  if (size <= gitMergeMax.lines) return false
  return size > gitMergeMax.bytes || countLines(await reader.read(id)) > gitMergeMax.lines
}
