import type { ConflictedPath } from '../remote/git-words.js'
import type { BlobReader } from './read-blobs.js'

/**
 * The largest text that git merges by line, in lines and bytes. Git's time grows with the square of the
 * conflicting lines, and a merge must end within its limit.
 */
export const gitMergeMax = { lines: 10_000, bytes: 512 * 1024 }

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
