import { open, readFile } from 'node:fs/promises'
import { type GitIndex, readIndex } from './index-file.js'

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
