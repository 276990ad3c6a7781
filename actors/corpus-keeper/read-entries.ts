import { isUtf8 } from 'node:buffer'
import type { BlobId } from '#protocol/atoms.js'
import { bytesMaxOf, isRead, roleOf, type SourceFile } from '#src/domain/lore/layout.js'
import type { TreeEntry } from '#src/ports/git.js'
import { type Budget, countRowsIn } from '#src/snapshot/budget.js'
import type { ParsedFile } from '#src/snapshot/parsed-file.js'

/**
 * An entry of a tree with what a load made of it. The next load reuses it as long as the listing has the
 * identical entry, so that the cost of a commit depends on what it changed.
 */
export interface ReadEntry {
  readonly entry: TreeEntry
  /** Whether the snapshot needs the text; depends only on the path. */
  readonly isWanted: boolean
  /** Null where the file is not read: not wanted, too large, left out, or unreadable. */
  readonly file: ParsedFile | null
  /** The number of rows of the file, as the budget counts them. */
  readonly rows: number
}

/**
 * A size that git does not know (`BAD` for a lost object) is NaN: such a file is read, which fails the load.
 */
export const isTooLarge = (entry: TreeEntry): boolean => entry.bytes > bytesMaxOf(entry.path)

/** The same entry with the file it was read as. */
export const withFile = (read: ReadEntry, file: ParsedFile | null): ReadEntry =>
  read.file === file ? read : { ...read, file, rows: file === null ? 0 : countRowsIn(file.source) }

/**
 * The entries of a listing with what is known of them. Looks for an entry of `before` at the same index, and
 * at an index shifted by a few added or removed files; other entries cost a look-up of their path in `known`.
 */
export const readEntries = (
  entries: ReadonlyArray<TreeEntry>,
  before: ReadonlyArray<ReadEntry>,
  known: (path: string) => ParsedFile | undefined,
): ReadonlyArray<ReadEntry> => {
  const shift = entries.length - before.length
  return entries.map((entry, at) => {
    const here = before[at]
    if (here?.entry === entry) return here
    const moved = before[at - shift]
    return moved?.entry === entry ? moved : newEntry(entry, known(entry.path))
  })
}

/**
 * Whether all files fit the budget, whatever the unread ones hold: a row takes at least a byte. False also
 * where a size is unknown.
 */
export const fitsWhole = ({ textBytes, rows }: Budget, files: ReadonlyArray<ReadEntry>): boolean => {
  let [allBytes, allRows] = [0, 0]
  for (const { entry, file, rows: own } of files) {
    allBytes += entry.bytes
    allRows += file === null ? entry.bytes + 1 : own
  }
  return allBytes <= textBytes && allRows <= rows
}

/** The texts of files that were read, by blob, as far as `unread` has the same blobs. */
export const shareTexts = (
  files: ReadonlyArray<ReadEntry>,
  unread: ReadonlyArray<ReadEntry>,
): Map<BlobId, SourceFile> => {
  const blobs = new Set(unread.map(({ entry }) => entry.blob))
  const texts = new Map<BlobId, SourceFile>()
  if (blobs.size === 0) return texts
  for (const { entry, file } of files)
    if (file !== null && file.source.unread !== true && blobs.has(entry.blob) && !texts.has(entry.blob))
      texts.set(entry.blob, file.source)
  return texts
}

/**
 * The text of a committed file without a BOM. Bytes that are not UTF-8 become U+FFFD and set `undecodable`.
 */
export const decodeFile = (entry: TreeEntry, bytes: Buffer): SourceFile => {
  const text = bytes.toString('utf8')
  const undecodable = !isUtf8(bytes)
  const { path, blob } = entry
  return text.startsWith('\u{feff}')
    ? { path, blob, text: text.slice(1), undecodable, bom: true }
    : { path, blob, text, undecodable }
}

const newEntry = (entry: TreeEntry, known: ParsedFile | undefined): ReadEntry => {
  const isWanted = isRead(roleOf(entry.path))
  const unread: ReadEntry = { entry, isWanted, file: null, rows: 0 }
  return isWanted && known?.source.blob === entry.blob ? withFile(unread, known) : unread
}
