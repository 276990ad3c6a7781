import { open, readFile } from 'node:fs/promises'
import { type GitIndex, readIndex } from './index-file.js'

/**
 * Remembers the index that was read or written last, by its bytes: an index that nobody else wrote meanwhile is not
 * parsed again. The file is read and compared every time, so no stat data is trusted.
 */
export interface IndexMemory {
  /** Reads the index at a path. Throws `UnreadableIndex` as `readIndex` does, and what the disk says. */
  readonly read: (path: string) => Promise<GitIndex>
  /** Remembers an index that is about to be written. */
  readonly remember: (index: GitIndex) => void
}

/** Whether the file holds these bytes. `room` takes what is read, one byte more, so that no read costs new memory. */
const holds = async (path: string, bytes: Buffer, room: Buffer): Promise<boolean> => {
  const handle = await open(path, 'r')
  try {
    const { bytesRead } = await handle.read(room, 0, room.length, 0)
    return room.subarray(0, bytesRead).equals(bytes)
  } finally {
    await handle.close()
  }
}

/** For one reader at a time. */
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
