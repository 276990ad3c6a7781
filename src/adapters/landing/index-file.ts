import { createHash } from 'node:crypto'
import { type BigIntStats, lstatSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { forEachInSlices } from '#src/domain/slicing/sliced.js'
import { runDaemonWork } from '#src/kernel/work-scheduler.js'
import { isCode } from './disk.js'

/**
 * Git's index (gitformat-index, versions 2 to 4), as far as a write needs it: reads the blob that is staged
 * at a path, and replaces it. Drops optional extensions of other tools; git writes them again.
 */

export interface IndexEntry {
  /** Stat data, mode, id and flags, as in the file. */
  readonly fixed: Buffer
  /** One character for each byte. */
  readonly name: string
}

export interface GitIndex {
  readonly version: number
  /** Sorted by name, then by stage. */
  readonly entries: ReadonlyArray<IndexEntry>
  /** The position of a name in `entries`; with several stages, of the last. */
  readonly places: ReadonlyMap<string, number>
  /** The whole file, without extensions. */
  readonly bytes: Buffer
  /** Where each entry begins in `bytes`. */
  readonly offsets: ReadonlyArray<number>
}

export class UnreadableIndex extends Error {}

/**
 * Parses an index. Throws `UnreadableIndex` for a split or sparse index, which would lose data when
 * rewritten.
 */
export const readIndex = (bytes: Buffer): GitIndex => {
  const body = verifyChecksum(bytes)
  if (body.toString('latin1', 0, 4) !== 'DIRC') throw new UnreadableIndex('it is not a git index')
  const version = body.readUInt32BE(4)
  if (version < 2 || version > 4) throw new UnreadableIndex(`its version is ${version}`)
  const { end, ...index } = parseEntries(body)
  refuseMandatory(body, end)
  return { ...index, bytes: end === body.length ? bytes : withChecksum(body.subarray(0, end)) }
}

const [headBytes, idBytes, modeAt, idAt, flagsAt] = [12, 20, 24, 40, 60]
const extendedFlag = 0x4000
const fixedSizeOf = (flags: number): number => ((flags & extendedFlag) === 0 ? 62 : 64)

/** The number of bytes that version 4 removes from the previous name, in git's own variable length. */
const cutOf = (bytes: Buffer, at: number): readonly [cut: number, next: number] => {
  let byte = bytes.readUInt8(at)
  let cut = byte & 0x7f
  let next = at + 1
  while ((byte & 0x80) !== 0) {
    byte = bytes.readUInt8(next)
    cut = ((cut + 1) << 7) | (byte & 0x7f)
    next += 1
  }
  return [cut, next]
}

const padLength = (length: number): number => (length + 8) & ~7

/** The entries at the beginning of `bytes`, and their end. */
const parseEntries = (bytes: Buffer): Entries => {
  const version = bytes.readUInt32BE(4)
  const entries: Array<IndexEntry> = []
  const places = new Map<string, number>()
  const offsets: Array<number> = []
  let at = headBytes
  let before = ''
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const head = fixedSizeOf(bytes.readUInt16BE(at + flagsAt))
    const [cut, from] = version === 4 ? cutOf(bytes, at + head) : [before.length, at + head]
    const end = bytes.indexOf(0, from)
    const name = before.slice(0, before.length - cut) + bytes.toString('latin1', from, end)
    offsets.push(at)
    places.set(name, entries.length)
    entries.push({ fixed: bytes.subarray(at, at + head), name })
    at = version === 4 ? end + 1 : at + padLength(head + name.length)
    before = name
  }
  return { version, entries, places, offsets, end: at }
}

const withChecksum = (body: Buffer): Buffer => Buffer.concat([body, createHash('sha1').update(body).digest()])

const encodeCut = (cut: number): Buffer => {
  const bytes = [cut & 0x7f]
  for (let rest = cut >> 7; rest > 0; rest >>= 7) {
    rest -= 1
    bytes.unshift(0x80 | (rest & 0x7f))
  }
  return Buffer.from(bytes)
}

const commonPrefixLength = (one: string, other: string): number => {
  let at = 0
  while (at < one.length && at < other.length && one[at] === other[at]) at += 1
  return at
}

/** The entries of version 4, each name without the prefix shared with the previous one. */
const compressEntries = (entries: ReadonlyArray<IndexEntry>): ReadonlyArray<Buffer> =>
  entries.flatMap(({ fixed, name }, at) => {
    const before = entries[at - 1]?.name ?? ''
    const shared = commonPrefixLength(before, name)
    return [fixed, encodeCut(before.length - shared), Buffer.from(`${name.slice(shared)}\0`, 'latin1')]
  })

/** The entries of versions 2 and 3, in one buffer: a corpus has thousands. */
const padEntries = (entries: ReadonlyArray<IndexEntry>): Buffer => {
  const lengths = entries.map(({ fixed, name }) => padLength(fixed.length + name.length))
  const bytes = Buffer.alloc(lengths.reduce((sum, length) => sum + length, 0))
  let at = 0
  entries.forEach(({ fixed, name }, nth) => {
    fixed.copy(bytes, at)
    bytes.write(name, at + fixed.length, 'latin1')
    at += lengths[nth] ?? 0
  })
  return bytes
}

const layOut = (version: number, entries: ReadonlyArray<IndexEntry>): GitIndex => {
  const head = Buffer.alloc(headBytes)
  head.write('DIRC', 'latin1')
  head.writeUInt32BE(version, 4)
  head.writeUInt32BE(entries.length, 8)
  const body = Buffer.concat([head, ...(version < 4 ? [padEntries(entries)] : compressEntries(entries))])
  const { end: _, ...index } = parseEntries(body)
  return { ...index, bytes: withChecksum(body) }
}

export const emptyIndex: GitIndex = layOut(2, [])

/** Whether a sparse checkout leaves the path, given as UTF-8 text, out of the work tree. */
export const isLeftOut = (index: GitIndex, path: string): boolean => {
  const fixed = entryAt(index, path)?.fixed
  return (
    fixed !== undefined && fixed.length > moreFlagsAt && (fixed.readUInt16BE(moreFlagsAt) & leftOutFlag) !== 0
  )
}

/** Whether the index has the path, given as UTF-8 text. */
export const hasEntry = ({ places }: GitIndex, path: string): boolean => places.has(latin(path))

/** What is staged, by the path as UTF-8 text. */
export const stageLookup =
  (index: GitIndex): ((path: string) => Staged | null) =>
  path => {
    const entry = entryAt(index, path)
    return entry === undefined ? null : { id: idOf(entry), stage: stageOf(entry) }
  }

/** The entry of a path where it has this blob and no conflict; otherwise null. */
export const findEntry = (index: GitIndex, path: string, blob: string): IndexEntry | null => {
  const entry = entryAt(index, path)
  return entry !== undefined && stageOf(entry) === 0 && idOf(entry) === blob ? entry : null
}

/** The new paths that conflict with the index: a staged file is below one, or is a folder above it. */
export const findStagedAcross = (
  { entries, places }: GitIndex,
  fresh: ReadonlySet<string>,
  leaving: ReadonlySet<string>,
): ReadonlySet<string> => {
  const isAbove = (path: string): boolean =>
    slashesIn(path).some(at => places.has(latin(path.slice(0, at))) && !leaving.has(path.slice(0, at)))
  const isBelow = (path: string): boolean => {
    const folder = `${latin(path)}/`
    for (let at = firstFrom(entries, folder); entries[at]?.name.startsWith(folder) === true; at += 1)
      if (!leaving.has(utf8(entries[at]?.name ?? ''))) return true
    return false
  }
  return new Set([...fresh].filter(path => isAbove(path) || isBelow(path)))
}

/**
 * The index with other files at some paths; null removes one, mode null keeps the current mode. Their stat
 * data is empty, so that git reads the file before it calls it clean. Where every file has an entry, nothing
 * is sorted or laid out again.
 */
export const stageFiles = (index: GitIndex, files: ReadonlyMap<string, FileToStage | null>): GitIndex => {
  const wanted = new Map([...files].map(([path, file]) => [latin(path), file]))
  const replaced = replaceEntries(index, [...wanted])
  if (replaced !== null) return replaced
  const fresh = [...wanted].flatMap(([name, file]) =>
    file === null
      ? []
      : [freshEntry(name, modeOf(file, index.entries[index.places.get(name) ?? -1]), file.id)],
  )
  const kept = index.entries.filter(entry => !wanted.has(entry.name))
  return layOut(index.version, [...kept, ...fresh].sort(inOrder))
}

/**
 * Caches the index that was last read or written, by its bytes: an index that no other program wrote
 * meanwhile is not parsed again. The file is read and compared every time, so stat data is not trusted.
 */
export interface IndexMemory {
  /** Reads the index at a path. Throws `UnreadableIndex` as `readIndex` does, and errors of the disk. */
  readonly read: (path: string) => Promise<GitIndex>
  /** Caches an index that is about to be written. */
  readonly remember: (index: GitIndex) => void
}

/** Not for concurrent reads. */
export const openIndexMemory = (): IndexMemory => {
  let last: { readonly bytes: Buffer; readonly index: GitIndex } | null = null
  let room = Buffer.alloc(0)
  return {
    read: async path => {
      const known = last
      if (known !== null) {
        if (room.length !== known.bytes.length + 1) room = Buffer.alloc(known.bytes.length + 1)
        if (await holds(path, known.bytes, room)) return known.index
      }
      const bytes = await readFile(path)
      const index = readIndex(bytes)
      last = { bytes, index }
      return index
    },
    remember: index => {
      last = { bytes: index.bytes, index }
    },
  }
}

/** The `lstat` of a path with nanoseconds; null where nothing is there. */
export const statAt = (path: string): BigIntStats | null => {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null
  } catch (error) {
    if (isCode(error, 'ENOTDIR')) return null
    throw error
  }
}

/**
 * Visits the items synchronously, and yields to the event loop. A promise for each
 * `lstat` costs ten times as much processor time as the call itself.
 */
export const visitInSlices = <A>(
  items: ReadonlyArray<A>,
  visit: (item: A, at: number) => void,
): Promise<void> => runDaemonWork(forEachInSlices(items.entries(), ([at, item]) => visit(item, at)))

/** What is staged at a path; `stage` above 0 is a conflict that a person has not resolved. */
interface Staged {
  readonly id: string
  readonly stage: number
}

const plainly = 'run `git update-index --no-split-index` and `git sparse-checkout disable` there'

const verifyChecksum = (bytes: Buffer): Buffer => {
  const [body, sum] = [bytes.subarray(0, -idBytes), bytes.subarray(-idBytes)]
  const isSkipped = sum.every(byte => byte === 0)
  if (!isSkipped && !createHash('sha1').update(body).digest().equals(sum))
    throw new UnreadableIndex('its checksum is wrong')
  return body
}

const isMandatory = (signature: number): boolean => signature >= 0x61 && signature <= 0x7a

const refuseMandatory = (body: Buffer, from: number): void => {
  for (let at = from; at + 8 <= body.length; at += 8 + body.readUInt32BE(at + 4))
    if (isMandatory(body.readUInt8(at)))
      throw new UnreadableIndex(
        `it is kept as "${body.toString('latin1', at, at + 4)}", which no host writes: ${plainly}`,
      )
}

type Entries = Pick<GitIndex, 'version' | 'entries' | 'places' | 'offsets'> & { readonly end: number }

const stageOf = ({ fixed }: IndexEntry): number => (fixed.readUInt16BE(flagsAt) >> 12) & 3

const latin = (path: string): string => Buffer.from(path, 'utf8').toString('latin1')

/** The entry of a path, given as UTF-8 text. */
const entryAt = ({ entries, places }: GitIndex, path: string): IndexEntry | undefined =>
  entries[places.get(latin(path)) ?? -1]

const idOf = ({ fixed }: IndexEntry): string => fixed.toString('hex', idAt, idAt + idBytes)

const [moreFlagsAt, leftOutFlag] = [62, 0x4000]

const utf8 = (name: string): string => Buffer.from(name, 'latin1').toString('utf8')

const slashesIn = (name: string): ReadonlyArray<number> => [...name.matchAll(/\//g)].map(({ index }) => index)

/** The position of the first entry whose name is not before `name`. */
const firstFrom = (entries: ReadonlyArray<IndexEntry>, name: string): number => {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((entries[middle]?.name ?? '') < name) low = middle + 1
    else high = middle
  }
  return low
}

const ordinaryMode = 0o100644

const freshEntry = (name: string, mode: number, id: string): IndexEntry => {
  const fixed = Buffer.alloc(fixedSizeOf(0))
  fixed.writeUInt32BE(mode, modeAt)
  fixed.write(id, idAt, 'hex')
  fixed.writeUInt16BE(Math.min(name.length, 0xfff), flagsAt)
  return { fixed, name }
}

const inOrder = (one: IndexEntry, other: IndexEntry): number =>
  one.name < other.name ? -1 : one.name > other.name ? 1 : stageOf(one) - stageOf(other)

interface FileToStage {
  readonly mode: string | null
  readonly id: string
}

/** The mode of a new file: its own, otherwise that of the entry that it replaces. */
const modeOf = ({ mode }: FileToStage, entry: IndexEntry | undefined): number =>
  mode === null ? (entry?.fixed.readUInt32BE(modeAt) ?? ordinaryMode) : Number.parseInt(mode, 8)

/**
 * The index with other ids in existing entries; null where an entry is added, removed or changes its length.
 */
const replaceEntries = (
  index: GitIndex,
  files: ReadonlyArray<readonly [name: string, file: FileToStage | null]>,
): GitIndex | null => {
  const entries = [...index.entries]
  const bytes = Buffer.from(index.bytes)
  for (const [name, file] of files) {
    const place = index.places.get(name) ?? -1
    const entry = index.entries[place]
    if (file === null || entry === undefined || stageOf(entry) > 0) return null
    const next = freshEntry(name, modeOf(file, entry), file.id)
    if (next.fixed.length !== entry.fixed.length) return null
    next.fixed.copy(bytes, index.offsets[place])
    entries[place] = next
  }
  const body = bytes.subarray(0, -idBytes)
  createHash('sha1').update(body).digest().copy(bytes, body.length)
  return { ...index, entries, bytes }
}

/**
 * Whether the file holds these bytes. `room` is a reusable buffer one byte larger, so that reads allocate no
 * memory.
 */
const holds = async (path: string, bytes: Buffer, room: Buffer): Promise<boolean> => {
  const handle = await open(path, 'r')
  try {
    const { bytesRead } = await handle.read(room, 0, room.length, 0)
    return room.subarray(0, bytesRead).equals(bytes)
  } finally {
    await handle.close()
  }
}
