import type { PackedObjects } from '#src/ports/records.js'

/** JSON objects that wait for the disk as bytes, in order, bounded by count and bytes. */
export interface ObjectPack {
  /** Returns false where it is full: the object is lost. */
  readonly add: (object: string) => boolean
  readonly takeAll: () => PackedObjects
  readonly isEmpty: () => boolean
}

const firstBytes = 64 * 1024
const bytesPerUnit = 3

const growBuffer = (from: Buffer, used: number, least: number): Buffer => {
  const larger = Buffer.allocUnsafe(Math.max(from.length * 2, least))
  from.copy(larger, 0, 0, used)
  return larger
}

/**
 * Encodes an object when it is added: each garbage collection would copy one that waits as text or as a
 * closure, which costs more than encoding it.
 */
export const objectPack = (limits: { readonly items: number; readonly bytes: number }): ObjectPack => {
  let bytes: Buffer = Buffer.allocUnsafe(firstBytes)
  let ends: Array<number> = []
  let used = 0
  return {
    add: object => {
      if (ends.length >= limits.items || used + object.length > limits.bytes) return false
      const most = used + object.length * bytesPerUnit
      if (most > bytes.length) bytes = growBuffer(bytes, used, most)
      used += bytes.write(object, used)
      ends.push(used)
      return true
    },
    takeAll: () => {
      const taken = { bytes: bytes.subarray(0, used), ends }
      bytes = Buffer.allocUnsafe(Math.max(firstBytes, used))
      ends = []
      used = 0
      return taken
    },
    isEmpty: () => ends.length === 0,
  }
}
