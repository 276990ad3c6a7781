import { type GitIndex, indexBytes, readIndex } from './index-file.js'

/**
 * Remembers the index that was read or written last, by its bytes: an index that nobody else wrote meanwhile is not
 * parsed again. The file is read and compared every time, so no stat data is trusted.
 */
export interface IndexMemory {
  /** Reads an index. Throws `UnreadableIndex` as `readIndex` does. */
  readonly parse: (bytes: Buffer) => GitIndex
  /** The bytes of an index that is about to be written. */
  readonly encode: (index: GitIndex) => Buffer
}

export const openIndexMemory = (): IndexMemory => {
  let last: { readonly bytes: Buffer; readonly index: GitIndex } | null = null
  return {
    parse: bytes => {
      if (last?.bytes.equals(bytes) === true) return last.index
      const index = readIndex(bytes)
      last = { bytes, index }
      return index
    },
    encode: index => {
      const bytes = indexBytes(index)
      last = { bytes, index }
      return bytes
    },
  }
}
