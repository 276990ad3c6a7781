import { type FileHandle, open, readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { PackedObjects, RecordLine } from '#src/ports/records.js'
import { makeFolderInState } from '../state/state-area.js'

/**
 * The operations on a directory of segments that can fail on a bad disk; tests replace some with failing
 * ones.
 */
export interface SegmentFiles {
  readonly list: () => Promise<ReadonlyArray<number>>
  readonly create: (first: number) => Promise<Writable>
  readonly reopen: (first: number) => Promise<Writable>
  readonly read: (first: number, offset: number, bytesMax: number) => Promise<Buffer>
  readonly facts: (first: number) => Promise<{ readonly bytes: number; readonly changedMs: number } | null>
  readonly remove: (first: number) => Promise<void>
}

/** A segment open for appending. */
export interface Writable {
  readonly append: (bytes: Buffer) => Promise<void>
  readonly sync: () => Promise<void>
  readonly truncate: (bytes: number) => Promise<void>
  readonly close: () => Promise<void>
}

/** The segments of a log: `<name>-<first number>.jsonl` in a directory that is created at the first write. */
export const segmentFiles = (directory: string, name: string): SegmentFiles => {
  const fileOf = (first: number): string => `${name}-${String(first).padStart(digits, '0')}.jsonl`
  const pathOf = (first: number): string => join(directory, fileOf(first))
  return {
    list: async () => {
      makeFolderInState(directory)
      const names = await readdir(directory)
      return names
        .map(file => ({ file, first: Number(file.slice(name.length + 1, -'.jsonl'.length)) }))
        .filter(({ file, first }) => file === fileOf(first))
        .map(({ first }) => first)
        .sort((left, right) => left - right)
    },
    create: async first => {
      const handle = await open(pathOf(first), 'a', 0o600)
      await handle.sync()
      await syncDirectory(directory)
      return writable(handle)
    },
    reopen: async first => writable(await open(pathOf(first), 'a', 0o600)),
    read: (first, offset, bytesMax) => readAt(pathOf(first), offset, bytesMax),
    facts: async first => {
      try {
        const { size, mtimeMs } = await stat(pathOf(first))
        return { bytes: size, changedMs: mtimeMs }
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return null
        throw error
      }
    },
    remove: async first => {
      try {
        await unlink(pathOf(first))
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error
      }
    },
  }
}

/** Whether a segment disappeared under a reader: the retention deleted it. */
export const isGone = (error: unknown): boolean => codeOf(error) === 'ENOENT'

/** The number that a line begins with; null for a line in another form. */
export const seqOf = (text: string): number | null => {
  const found = head.exec(text)
  return found === null ? null : Number(found[1])
}

/** The record of a complete line; null where it is not one. */
export const lineOf = (text: string): RecordLine | null => {
  const seq = seqOf(text)
  if (seq === null) return null
  try {
    JSON.parse(text)
    return { seq, text }
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/**
 * The complete lines in some bytes, with the offset after each; text after the last newline is not a line.
 */
export const wholeLinesIn = function* (
  bytes: Buffer,
): Generator<{ readonly text: string; readonly end: number }> {
  let start = 0
  for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
    yield { text: bytes.toString('utf8', start, end), end: end + 1 }
    start = end + 1
  }
}

/**
 * Scans a segment whose first line should have the number `first`. A complete line that is not a record uses
 * up one number, which is not assigned again (S27). A record whose number is not above the earlier ones does
 * not count as one.
 */
export const scanSegment = (bytes: Buffer, first: number): Scan => {
  let next = first
  let least = first
  let goodBytes = 0
  let corruptLines = 0
  let firstAtMs: number | null = null
  for (const { text, end } of wholeLinesIn(bytes)) {
    const line = lineOf(text)
    if (goodBytes === 0) firstAtMs = atMsOf(text)
    goodBytes = end
    if (line !== null && line.seq >= least) {
      least = line.seq + 1
      next = least
    } else {
      corruptLines += 1
      next += 1
    }
  }
  return { next, goodBytes, corruptLines, firstAtMs }
}

/** An object's JSON with its number at the front. */
export const numberLine = (seq: number, object: string): RecordLine => ({
  seq,
  text: `{"seq":${seq},${object.slice(1)}`,
})

/** The lines of objects, each with its number at the front and a newline. */
export const packLines = (first: number, { bytes, ends }: PackedObjects): Buffer => {
  const headBytesMax = `{"seq":${first + ends.length},`.length
  // The head replaces an object's opening brace, and a newline is added.
  const lines = Buffer.allocUnsafe(bytes.length + ends.length * headBytesMax)
  let [at, start] = [0, 0]
  for (const [nth, end] of ends.entries()) {
    at += lines.write(`{"seq":${first + nth},`, at, 'latin1')
    at += bytes.copy(lines, at, start + 1, end)
    lines[at] = newline
    at += 1
    start = end
  }
  return lines.subarray(0, at)
}

const digits = 16

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const writable = (handle: FileHandle): Writable => ({
  append: bytes => handle.appendFile(bytes),
  sync: () => handle.datasync(),
  truncate: async bytes => {
    await handle.truncate(bytes)
    await handle.datasync()
  },
  close: () => handle.close(),
})

const syncDirectory = async (directory: string): Promise<void> => {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const readAt = async (path: string, offset: number, bytesMax: number): Promise<Buffer> => {
  const handle = await open(path, 'r')
  try {
    const buffer = Buffer.allocUnsafe(bytesMax)
    let filled = 0
    for (;;) {
      const { bytesRead } = await handle.read(buffer, filled, bytesMax - filled, offset + filled)
      filled += bytesRead
      if (bytesRead === 0 || filled === bytesMax) return buffer.subarray(0, filled)
    }
  } finally {
    await handle.close()
  }
}

/** The result of scanning a segment; `goodBytes` ends with the last newline. */
interface Scan {
  readonly next: number
  readonly goodBytes: number
  readonly corruptLines: number
  /** The time in the first line; null where there is none. */
  readonly firstAtMs: number | null
}

const newline = 0x0a
const head = /^\{"seq":(\d{1,16}),"at":"([^"]{1,30})"/

const atMsOf = (text: string): number | null => {
  const atMs = Date.parse(head.exec(text)?.[2] ?? '')
  return Number.isNaN(atMs) ? null : atMs
}
