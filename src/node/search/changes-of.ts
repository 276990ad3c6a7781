import { type PackedDocument, packDocument } from '#src/adapters/search/wink-file.js'
import type { TierContent } from '#src/domain/search/document.js'

export type Versions = ReadonlyMap<string, string>

/** The sources that differ between an index and the content. */
export interface SourceChanges {
  readonly gone: ReadonlyArray<string>
  /** Also those that are new. */
  readonly changed: ReadonlyArray<string>
}

export const sourceChanges = (held: Versions, { sources }: TierContent): SourceChanges => ({
  gone: [...held.keys()].filter(source => !sources.has(source)),
  changed: [...sources].flatMap(([source, version]) => (held.get(source) === version ? [] : [source])),
})

/** Reads documents of changed sources; null once there are more than `max`. */
export const readChanged = async (
  content: TierContent,
  changed: ReadonlyArray<string>,
  max: number,
): Promise<ReadonlyArray<PackedDocument> | null> => {
  const read: Array<PackedDocument> = []
  for await (const documents of content.read(changed)) {
    for (const document of documents) read.push(packDocument(document))
    if (read.length > max) return null
  }
  return read
}
