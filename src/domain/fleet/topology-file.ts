import { BlobId } from '#protocol/atoms.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { topologyPath } from './topology.js'

/** The file of the fleet with this text; null where `blob` is no id. */
export const topologyFileOf = (text: string, blob: string): SourceFile | null =>
  BlobId.is(blob) ? { path: topologyPath, blob, text, undecodable: text.includes('\ufffd') } : null
