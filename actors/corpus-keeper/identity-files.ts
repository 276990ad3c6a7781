import { isLeft } from 'fp-ts/lib/Either.js'
import { BlobId, type RepoPath, requirePath } from '#protocol/atoms.js'
import { fileBytesMax, identityPaths } from '#src/domain/lore/layout.js'
import { contributorsPath } from '#src/domain/people/roster.js'
import { type Head, LostObject, type TreeEntry, type TreeSource } from '#src/ports/git.js'
import { type ParsedFile, parseFile } from '#src/snapshot/parsed-file.js'
import { decodeFile } from './read-entries.js'

/** The committed files that say who may do what, by path; an absent one has no row. */
export type IdentityFiles = ReadonlyMap<string, ParsedFile>

export const noIdentity: IdentityFiles = new Map()

const nullId = BlobId.decode('0'.repeat(40))
if (isLeft(nullId)) throw new Error('forty digits are an object id')
const nullBlob = nullId.right

/** A file that exists and cannot be read: it parses as unreadable, and so gives no rights (ADR 1018). */
const makeUnreadFile = (path: RepoPath, blob: BlobId): ParsedFile =>
  parseFile({ path, blob, text: '', undecodable: false, unread: true })

const unreadByPath: ReadonlyMap<string, ParsedFile> = new Map(
  identityPaths.map(path => [path, makeUnreadFile(requirePath(path), nullBlob)]),
)

/** The identity files as read, and why the tree may not be loaded with them. */
export interface IdentityRead {
  readonly files: IdentityFiles
  /** The first of them whose object is lost. */
  readonly lost: LostObject | null
}

const bytesOf = async (source: TreeSource, entry: TreeEntry): Promise<Buffer | LostObject | null> => {
  if (entry.bytes > fileBytesMax) return null
  try {
    return await source.read(entry)
  } catch (error) {
    if (error instanceof LostObject) return error
    throw error
  }
}

const fileOf = async (
  source: TreeSource,
  entry: TreeEntry,
  known: ParsedFile | undefined,
): Promise<{ readonly file: ParsedFile; readonly lost: LostObject | null }> => {
  const isKnown = known?.source.blob === entry.blob
  if (isKnown && known.source.unread !== true) return { file: known, lost: null }
  const read = await bytesOf(source, entry)
  if (Buffer.isBuffer(read)) return { file: parseFile(decodeFile(entry, read)), lost: null }
  return { file: isKnown ? known : makeUnreadFile(entry.path, entry.blob), lost: read }
}

/**
 * Reads the identity files of `head` by their paths, without listing the tree (D63). A path that exists and
 * is not a readable file becomes an unread file; a lost object is also returned, because the tree cannot be
 * loaded then. Unchanged files are the same objects as in `before`. Throws where a folder on the way cannot
 * be read.
 */
export const identityAt = async (
  source: TreeSource,
  head: Head,
  before: IdentityFiles,
): Promise<IdentityRead> => {
  const { entries, skipped } = await source.listAt(head, identityPaths)
  const files = new Map<string, ParsedFile>()
  for (const { path } of skipped) {
    const unread = unreadByPath.get(path)
    if (unread !== undefined) files.set(path, unread)
  }
  let firstLost: LostObject | null = null
  for (const entry of entries) {
    const { file, lost } = await fileOf(source, entry, before.get(entry.path))
    files.set(entry.path, file)
    firstLost ??= lost
  }
  return { files, lost: firstLost }
}

/**
 * The identity files to use while those of HEAD cannot be determined: people come from the last contributor
 * store that was read, and no role, grant, link or published key gives any rights.
 */
export const withholdIdentity = (before: IdentityFiles): IdentityFiles => {
  const files = new Map(unreadByPath)
  const people = before.get(contributorsPath)
  if (people === undefined) files.delete(contributorsPath)
  else files.set(contributorsPath, people)
  return files
}

/** Whether both hold identical file objects. */
export const isSameIdentity = (one: IdentityFiles, other: IdentityFiles): boolean =>
  one.size === other.size && [...one].every(([path, file]) => other.get(path) === file)

/** The lore with these identity files in place of its own. */
export const withIdentity = (
  lore: ReadonlyMap<string, ParsedFile>,
  identity: IdentityFiles,
): ReadonlyMap<string, ParsedFile> => {
  if (identityPaths.every(path => lore.get(path) === identity.get(path))) return lore
  const files = new Map(lore)
  for (const path of identityPaths) {
    const file = identity.get(path)
    if (file === undefined) files.delete(path)
    else files.set(path, file)
  }
  return files
}
