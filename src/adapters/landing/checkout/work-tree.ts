import { randomBytes } from 'node:crypto'
import { lstat, readdir, readFile, readlink, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BlobId } from '#protocol/atoms.js'
import { type Disk, isCode } from '../disk.js'
import { blobObject } from '../objects/object-writer.js'

/**
 * What is at a path of the work tree. A write never replaces `Foreign`: a folder, or a path behind a link or
 * in another checkout.
 */
export type Lying =
  | { readonly _tag: 'Absent' }
  | {
      readonly _tag: 'File'
      /** Of its bytes as they are. */
      readonly blob: BlobId
      readonly mode: number
      readonly isLink: boolean
      /** The blobs that it counts as, because only git's conversion parts them from its bytes. */
      readonly alike?: ReadonlySet<BlobId>
    }
  | { readonly _tag: 'Foreign' }

/**
 * A file that is written beside the work tree and waits to be renamed into place; a null draft means a
 * removal. `before`: the bytes that it may replace.
 */
export interface WaitingFile {
  readonly path: string
  readonly before: BlobId | null
  readonly draft: string | null
}

/** The paths that a move of the branch removes. */
export type Leaving = ReadonlySet<string>

/**
 * Looks at a path without following links, also in the folders above it (D4). A path that is occupied only by
 * leaving files is `Absent`: a path below one of them, and a folder that holds nothing else.
 */
export const inspectPath = async (
  repo: string,
  path: string,
  leaving: Leaving = noneLeaves,
): Promise<Lying> => {
  try {
    for (const folder of foldersAbove(path)) {
      if (!(await lstat(join(repo, folder))).isDirectory())
        return { _tag: leaving.has(folder) ? 'Absent' : 'Foreign' }
      if (await isRepository(join(repo, folder))) return { _tag: 'Foreign' }
    }
    const found = await lstat(join(repo, path))
    if (found.isSymbolicLink())
      return {
        _tag: 'File',
        blob: blobObject(await readlink(join(repo, path), { encoding: 'buffer' })).id,
        mode: 0o644,
        isLink: true,
      }
    if (found.isDirectory() && (await emptiesWith(repo, path, leaving))) return { _tag: 'Absent' }
    if (!found.isFile()) return { _tag: 'Foreign' }
    return {
      _tag: 'File',
      blob: blobObject(await readFile(join(repo, path))).id,
      mode: found.mode & 0o777,
      isLink: false,
    }
  } catch (error) {
    if (isCode(error, 'ENOENT')) return { _tag: 'Absent' }
    if (isCode(error, 'ENOTDIR')) return { _tag: 'Foreign' }
    throw error
  }
}

/** Whether the work tree has the committed content at a path, so that replacing it loses no person's work. */
export const hasCommittedContent = (lying: Lying, blob: BlobId | null): boolean =>
  blob === null
    ? lying._tag === 'Absent'
    : lying._tag === 'File' && (lying.blob === blob || lying.alike?.has(blob) === true)

export interface NewFile {
  readonly path: string
  readonly after: { readonly mode: string | null; readonly bytes: Buffer } | null
}

/** Writes the new bytes into the private area, with the permissions that the file will have. */
export const draftFile = async (
  disk: Disk,
  area: string,
  { path, after }: NewFile,
  lying: Lying,
): Promise<WaitingFile> => {
  const before = lying._tag === 'File' ? lying.blob : null
  if (after === null) return { path, before, draft: null }
  const draft = join(area, randomBytes(8).toString('hex'))
  if (after.mode === linkMode) await disk.symlink(after.bytes, draft)
  else await disk.write(draft, after.bytes, permissions(after.mode, lying))
  return { path, before, draft }
}

/**
 * Renames a waiting file into place if the work tree still has what the previous commit had there. Returns
 * false where a person was faster; their file stays as it is (D4).
 */
export const putFile = async (disk: Disk, repo: string, waiting: WaitingFile): Promise<boolean> => {
  const { path, before, draft } = waiting
  if (draft === null && before === null) return true
  const isFree = hasCommittedContent(await inspectPath(repo, path), before)
  if (!isFree || (draft !== null && before === null && !(await removeFolder(join(repo, path))))) {
    if (draft !== null) await disk.remove(draft)
    return false
  }
  if (draft === null) {
    await disk.remove(join(repo, path))
    await removeEmpty(repo, path)
    return true
  }
  await disk.makeFolder(dirname(join(repo, path)))
  await disk.rename(draft, join(repo, path))
  return true
}

const foldersAbove = (path: string): ReadonlyArray<string> => {
  const parts = path.split('/')
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'))
}

/** A folder with its own `.git` is another checkout: its files are not ours to write. */
const isRepository = async (folder: string): Promise<boolean> => {
  try {
    await lstat(join(folder, '.git'))
    return true
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false
    throw error
  }
}

const noneLeaves: Leaving = new Set()

/** Whether a folder is empty once the leaving files are gone; folders without files do not count as work. */
const emptiesWith = async (repo: string, folder: string, leaving: Leaving): Promise<boolean> => {
  for (const entry of await readdir(join(repo, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`
    if (entry.name.includes('\u{fffd}')) return false
    const isGoing = entry.isDirectory() ? await emptiesWith(repo, path, leaving) : leaving.has(path)
    if (!isGoing) return false
  }
  return true
}

const linkMode = '120000'
const ordinaryMode = 0o644
const executableMode = 0o755

/** The permissions of a new file: those of the tree, otherwise those of the existing file. */
const permissions = (mode: string | null, lying: Lying): number =>
  mode === '100755' ? executableMode : lying._tag === 'File' && mode === null ? lying.mode : ordinaryMode

/** Also removes the folders that a removal left empty, as git does. */
const removeEmpty = async (repo: string, path: string): Promise<void> => {
  try {
    for (const folder of [...foldersAbove(path)].reverse()) await rmdir(join(repo, folder))
  } catch {
    // The first folder that is not empty ends the loop.
  }
}

/** Removes a folder without files. Returns false where a file was created in it meanwhile; the file stays. */
const removeFolder = async (folder: string): Promise<boolean> => {
  try {
    for (const entry of await readdir(folder, { withFileTypes: true }))
      if (entry.isDirectory()) await removeFolder(join(folder, entry.name))
    await rmdir(folder)
    return true
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return true
    if (isCode(error, 'ENOTEMPTY') || isCode(error, 'EEXIST')) return false
    throw error
  }
}
