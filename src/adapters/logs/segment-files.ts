import { type FileHandle, mkdir, open, readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'

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

/** The segments of a log: `<name>-<first number>.jsonl` in a directory that is created at the first write. */
export const segmentFiles = (directory: string, name: string): SegmentFiles => {
  const fileOf = (first: number): string => `${name}-${String(first).padStart(digits, '0')}.jsonl`
  const pathOf = (first: number): string => join(directory, fileOf(first))
  return {
    list: async () => {
      await mkdir(directory, { recursive: true, mode: 0o700 })
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
