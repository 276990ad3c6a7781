import { type TreeRow, treeRows } from '#src/adapters/git/tree-rows.js'
import { type MadeObject, treeObject } from './git-object.js'

/** The new content of a file in a tree; mode null keeps the mode, ordinary for a new file. */
export interface TreeFile {
  readonly mode: string | null
  readonly id: string
}

/** Edits by path; null removes. */
export type TreeEdits = ReadonlyMap<string, TreeFile | null>

/** Trees by id: those of the repository, and those just computed. */
export interface Trees {
  readonly read: (id: string) => Promise<Buffer>
  readonly made: Map<string, MadeObject>
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
