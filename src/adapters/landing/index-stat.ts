import type { BigIntStats } from 'node:fs'
import type { IndexEntry } from './index-file.js'

/** The offsets of stat data in an entry (gitformat-index). */
const [ctimeAt, mtimeAt, inodeAt, modeAt, sizeAt, idAt] = [0, 8, 20, 24, 36, 40]

const emptyBlob = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'

const nanoseconds = 1_000_000_000n

const isTime = (fixed: Buffer, at: number, timeNs: bigint): boolean => {
  const seconds = timeNs / nanoseconds
  return (
    fixed.readUInt32BE(at + 4) === Number(timeNs - seconds * nanoseconds) &&
    fixed.readUInt32BE(at) === Number(BigInt.asUintN(32, seconds))
  )
}

const executable = 0o100
const regularMode = (mode: bigint): number => ((Number(mode) & executable) === 0 ? 0o100644 : 0o100755)

/** A size of 0 is also git's mark for an entry that the next reader has to compare. */
const isSize = (fixed: Buffer, size: bigint): boolean =>
  fixed.readUInt32BE(sizeAt) === Number(BigInt.asUintN(32, size)) &&
  (size > 0n || fixed.toString('hex', idAt, idAt + 20) === emptyBlob)

/**
 * Whether the stat data of an index entry proves that the regular file with this `lstat` is as git staged it.
 * False where it proves nothing: stat data that is zero or differs, another kind of file, or a file that is
 * not older than the index (`indexMtimeNs`, the mtime of the index file). Git calls such an entry racy: a
 * change of the same size within the same tick leaves no trace.
 */
export const isAsStaged = ({ fixed }: IndexEntry, file: BigIntStats, indexMtimeNs: bigint): boolean =>
  file.mtimeNs < indexMtimeNs &&
  file.isFile() &&
  isTime(fixed, mtimeAt, file.mtimeNs) &&
  isTime(fixed, ctimeAt, file.ctimeNs) &&
  fixed.readUInt32BE(inodeAt) === Number(BigInt.asUintN(32, file.ino)) &&
  fixed.readUInt32BE(modeAt) === regularMode(file.mode) &&
  isSize(fixed, file.size)
