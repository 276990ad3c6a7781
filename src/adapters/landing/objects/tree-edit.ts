import { isLeft } from 'fp-ts/lib/Either.js'
import { BlobId, type CommitId, RepoPath } from '#protocol/atoms.js'
import { gitText } from '#src/adapters/git/git-command.js'
import { type TreeRow, treeRows } from '#src/adapters/git/git-tree.js'
import {
  isWithin,
  listRows,
  type NamedRow,
  parseNamedRows,
  refusePath,
  refuseTwins,
  twinPaths,
} from '#src/adapters/git/named-folder.js'
import { type MadeObject, treeObject } from './object-writer.js'

/** Edits by path; null removes. */
export type TreeEdits = ReadonlyMap<string, TreeFile | null>

/** Trees by id: those of the repository, and those just computed. */
export interface Trees {
  readonly read: (id: string) => Promise<Buffer>
  readonly made: Map<string, MadeObject>
}

/**
 * Returns the id of the tree after the edits, null where nothing is left in it; adds new trees to
 * `trees.made`. Reads and makes only the trees on the changed paths. Throws where a file is in the way of a
 * folder, or the reverse.
 */
export const editTree = async (trees: Trees, id: string | null, edits: TreeEdits): Promise<string | null> => {
  const rows = new Map(treeRows(await treeBytes(trees, id), 'latin1').map(row => [row.name, row]))
  const { here, below } = splitEdits(edits)
  for (const [name, file] of here) {
    if (rows.get(name)?.mode === folderMode) throw new Error('there is a folder where a file must be')
    if (file === null) rows.delete(name)
    else rows.set(name, { id: file.id, mode: file.mode ?? rows.get(name)?.mode ?? ordinaryMode, name })
  }
  for (const [name, inside] of below) {
    const row = rows.get(name)
    if (row !== undefined && row.mode !== folderMode)
      throw new Error('there is a file where a folder must be')
    const tree = await editTree(trees, row?.id ?? null, inside)
    if (tree === null) rows.delete(name)
    else rows.set(name, { mode: folderMode, name, id: tree })
  }
  if (rows.size === 0) return null
  const made = treeObject(bytesOf(rows.values()))
  trees.made.set(made.id, made)
  return made.id
}

/** The files that differ between two commits. Throws for a path that our checkouts do not accept. */
export const treeDiff = async (
  repo: string,
  from: CommitId,
  to: CommitId,
): Promise<ReadonlyArray<Differing>> => {
  const [olds, news] = await Promise.all([listCommit(repo, from), listCommit(repo, to)])
  refuseTwins(twinPaths(news))
  const text = await gitText(['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', from, to], {
    cwd: repo,
  })
  const parts = text.split('\0')
  const twins = twinPaths(olds)
  const rows: Array<Differing> = [...findMendedFiles(olds, news, twins)]
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [meta = '', path = ''] = [parts[at], parts[at + 1]]
    if (!isWithin(twins, path)) rows.push(rowOf(meta, path))
  }
  return rows
}

/** The new content of a file in a tree; mode null keeps the mode, ordinary for a new file. */
interface TreeFile {
  readonly mode: string | null
  readonly id: string
}

const folderMode = '40000'
const ordinaryMode = '100644'

/** Git orders a folder as if its name ended with a slash. */
const orderKey = (row: TreeRow): string => (row.mode === folderMode ? `${row.name}/` : row.name)

const inOrder = (one: TreeRow, other: TreeRow): number => {
  const [left, right] = [orderKey(one), orderKey(other)]
  return left < right ? -1 : left > right ? 1 : 0
}

const bytesOf = (rows: Iterable<TreeRow>): Buffer =>
  Buffer.concat(
    [...rows]
      .sort(inOrder)
      .flatMap(({ mode, name, id }) => [Buffer.from(`${mode} ${name}\0`, 'latin1'), Buffer.from(id, 'hex')]),
  )

const treeBytes = async (trees: Trees, id: string | null): Promise<Buffer> =>
  id === null ? Buffer.alloc(0) : (trees.made.get(id)?.content ?? (await trees.read(id)))

const latin = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

interface Split {
  readonly here: Map<string, TreeFile | null>
  readonly below: Map<string, Map<string, TreeFile | null>>
}

/** Splits edits into those of this folder's files, and those of each subfolder. */
const splitEdits = (edits: TreeEdits): Split => {
  const here = new Map<string, TreeFile | null>()
  const below = new Map<string, Map<string, TreeFile | null>>()
  for (const [path, file] of edits) {
    const slash = path.indexOf('/')
    if (slash < 0) here.set(latin(path), file)
    else {
      const folder = latin(path.slice(0, slash))
      const inside = below.get(folder) ?? new Map<string, TreeFile | null>()
      below.set(folder, inside.set(path.slice(slash + 1), file))
    }
  }
  return { here, below }
}

/** A file that differs between two commits; modes as git writes them, null where it is absent. */
interface Differing {
  readonly path: RepoPath
  readonly before: BlobId | null
  /**
   * Other blobs that a checkout may have instead of `before`, where the earlier commit has the name twice.
   */
  readonly orBefore?: ReadonlyArray<BlobId | null>
  readonly after: { readonly mode: string; readonly id: BlobId } | null
}

const submodule = '160000'

const blobOf = (id: string): BlobId => {
  const blob = BlobId.decode(id)
  if (isLeft(blob)) throw new Error(`git names ${id}, which is not an object id`)
  return blob.right
}

/** The longest name in a folder and the longest path that Linux and macOS accept, in bytes. */
const [nameBytesMax, pathBytesMax] = [255, 1023]

const hasLongName = (path: string): boolean =>
  Buffer.byteLength(path) > pathBytesMax ||
  path.split('/').some(name => Buffer.byteLength(name) > nameBytesMax)

/** Checks a path that another host may have pushed. Throws for one that would reach outside the lore. */
const pathOf = (text: string): RepoPath => {
  const path = RepoPath.decode(text)
  if (isLeft(path)) return refusePath(text, 'it is not a path inside the lore')
  if (`${text.normalize('NFC').toLowerCase()}/`.startsWith('.svc/state/'))
    return refusePath(text, 'a host keeps its own state there')
  if (text.includes('\u{fffd}')) return refusePath(text, 'it is not UTF-8')
  if (hasLongName(text))
    return refusePath(text, `a name in it is above ${nameBytesMax} bytes, or it is above ${pathBytesMax}`)
  return path.right
}

const listCommit = async (repo: string, commit: CommitId): Promise<ReadonlyArray<NamedRow>> =>
  parseNamedRows(await gitText(listRows(commit), { cwd: repo }))

const refuseSubmodule = (path: string): never => {
  throw new Error(`"${path}" is a submodule, which a host does not support; remove it in git`)
}

const rowOf = (meta: string, path: string): Differing => {
  const [before, mode, old, id] = meta.slice(1).split(' ')
  if (before === undefined || mode === undefined || old === undefined || id === undefined)
    throw new Error(`git diff-tree says "${meta}"`)
  if (before === submodule || mode === submodule) refuseSubmodule(path)
  return {
    path: pathOf(path),
    before: /^0+$/.test(before) ? null : blobOf(old),
    after: /^0+$/.test(mode) ? null : { mode, id: blobOf(id) },
  }
}

const filesWithin = (
  rows: ReadonlyArray<NamedRow>,
  twins: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlyArray<NamedRow>> => {
  const files = new Map<string, Array<NamedRow>>()
  for (const row of rows) {
    if (row.type === 'tree' || !isWithin(twins, row.path)) continue
    const known = files.get(row.path)
    if (known === undefined) files.set(row.path, [row])
    else known.push(row)
  }
  return files
}

/**
 * The files at and below names that `from` has twice. A checkout holds at most one of the two, and the commit
 * does not tell which, so they count as different even where the next commit has one of them.
 */
const findMendedFiles = (
  from: ReadonlyArray<NamedRow>,
  to: ReadonlyArray<NamedRow>,
  twins: ReadonlySet<string>,
): ReadonlyArray<Differing> => {
  const [olds, news] = [filesWithin(from, twins), filesWithin(to, twins)]
  return [...new Set([...olds.keys(), ...news.keys()])].map(path => {
    const [before, after] = [olds.get(path) ?? [], news.get(path)?.[0] ?? null]
    if ([...before, ...(news.get(path) ?? [])].some(({ mode }) => mode === submodule)) refuseSubmodule(path)
    const [first, ...others] = [...before.map(({ id }) => blobOf(id)), null]
    return {
      path: pathOf(path),
      before: first ?? null,
      orBefore: others,
      after: after === null ? null : { mode: after.mode, id: blobOf(after.id) },
    }
  })
}
