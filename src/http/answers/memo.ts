/**
 * Bytes of an answer. `gzip` is made for the first caller that accepts it; until it is ready, all wait for
 * one promise.
 */
export interface PlainEntry {
  readonly etag: string
  readonly plain: Buffer
  gzip: Buffer | Promise<Buffer> | null
}

/** An answer that a reader thread compressed; kept under its own key, for callers that accept gzip. */
export interface PackedEntry {
  readonly etag: string
  readonly plain: null
  readonly gzip: Buffer
}

export type MemoEntry = PlainEntry | PackedEntry

/**
 * Encoded answers by key, within one stamp (inputs and day). When the bytes exceed the limit, the oldest
 * entries are dropped; an entry that was used since it was last considered stays for another round. A hit
 * only marks its entry.
 */
export interface Memo {
  readonly get: (stamp: string, key: string) => MemoEntry | undefined
  readonly put: (stamp: string, key: string, entry: MemoEntry) => void
  /** Accounts for bytes that an entry gained; this may evict others. */
  readonly addBytes: (stamp: string, key: string, bytes: number) => void
  readonly bytes: () => number
}

interface Slot {
  readonly entry: MemoEntry
  bytes: number
  /** Whether it was used since it was stored, or since it was last spared. */
  isUsed: boolean
}

/** About what the map itself costs for an entry. */
const overheadBytes = 512

/** @param bytesMax the size of the memo; an answer larger than half of it is not stored. */
export const openMemo = (bytesMax: number): Memo => {
  let current = ''
  let held = 0
  const kept = new Map<string, Slot>()

  const evict = (): void => {
    for (const [key, one] of kept) {
      if (held <= bytesMax) return
      kept.delete(key)
      if (one.isUsed) {
        one.isUsed = false
        kept.set(key, one)
      } else held -= one.bytes
    }
  }
  /** A request that began under an older snapshot neither reads nor writes the memo. */
  const isCurrent = (stamp: string): boolean => stamp === current
  const turn = (stamp: string): void => {
    if (isCurrent(stamp)) return
    current = stamp
    kept.clear()
    held = 0
  }
  return {
    get: (stamp, key) => {
      turn(stamp)
      const one = kept.get(key)
      if (one === undefined) return undefined
      one.isUsed = true
      return one.entry
    },
    put: (stamp, key, entry) => {
      const bytes = (entry.plain ?? entry.gzip).length + key.length + overheadBytes
      if (!isCurrent(stamp) || bytes > bytesMax / 2 || kept.has(key)) return
      kept.set(key, { entry, bytes, isUsed: false })
      held += bytes
      evict()
    },
    addBytes: (stamp, key, bytes) => {
      const one = isCurrent(stamp) ? kept.get(key) : undefined
      if (one === undefined) return
      one.bytes += bytes
      held += bytes
      evict()
    },
    bytes: () => held,
  }
}
