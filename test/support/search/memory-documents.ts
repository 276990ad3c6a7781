import type { Tier } from '#protocol/atoms.js'
import type { DocumentPort, SearchDocument } from '#src/domain/search/document.js'

/** The documents of a tier in memory. */
export interface MemoryDocuments extends DocumentPort {
  /** Replaces the documents of a source; none removes it. */
  readonly set: (source: string, documents: ReadonlyArray<SearchDocument>) => void
  /** The stamp of the newest content. */
  readonly stamp: () => string
}

const perSlice = 500

export const memoryDocuments = (tier: Tier): MemoryDocuments => {
  const held = new Map<
    string,
    { readonly version: string; readonly documents: ReadonlyArray<SearchDocument> }
  >()
  const watchers: Array<() => void> = []
  let changes = 0
  const stamp = (): string => `state ${changes}`
  return {
    tier,
    stamp,
    set: (source, documents) => {
      changes += 1
      if (documents.length === 0) held.delete(source)
      else held.set(source, { version: String(changes), documents })
      for (const changed of watchers) changed()
    },
    current: () => {
      const now = new Map(held)
      return {
        stamp: stamp(),
        sources: new Map([...now].map(([source, { version }]) => [source, version])),
        read: async function* (sources) {
          for (const source of sources) {
            const documents = now.get(source)?.documents ?? []
            for (let at = 0; at < documents.length; at += perSlice) {
              await new Promise(resolve => setImmediate(resolve))
              yield documents.slice(at, at + perSlice)
            }
          }
        },
        texts: null,
      }
    },
    watch: changed => void watchers.push(changed),
  }
}
