/** Bytes of an answer. `gzip` comes with the first caller that takes it; at first it is a promise all wait for. */
export interface PlainEntry {
  readonly etag: string
  readonly plain: Buffer
  gzip: Buffer | Promise<Buffer> | null
}

/** Bytes that came packed: kept under a key of their own, for callers that take gzip. */
export interface PackedEntry {
  readonly etag: string
  readonly plain: null
  readonly gzip: Buffer
}

export type MemoEntry = PlainEntry | PackedEntry

/**
 * Answers as bytes, by key, within one stamp (inputs and day). When bytes run over, the oldest leave, but one that was
 * asked for since it was looked at last stays for another round: a hit marks its entry and moves nothing.
 */
export interface Memo {
  readonly get: (stamp: string, key: string) => MemoEntry | undefined
  readonly put: (stamp: string, key: string, entry: MemoEntry) => void
  /** Accounts for bytes that an entry gained; it may push others out. */
  readonly addBytes: (stamp: string, key: string, bytes: number) => void
  readonly bytes: () => number
}

interface Slot {
  readonly entry: MemoEntry
  bytes: number
  /** Asked for since it was kept, or since it was spared. */
  isUsed: boolean
}

/** What the map itself costs for an entry, about. */
const overheadBytes = 512

/** @param bytesMax how much is kept; an answer larger than half of it is not. */
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
  /** A request that began under an older snapshot neither finds nor leaves anything. */
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
