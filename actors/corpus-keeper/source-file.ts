import { isUtf8 } from 'node:buffer'
import type { SourceFile } from '#src/lore/source-file.js'
import type { TreeEntry } from '#src/ports/tree-source.js'

/** The text of a committed file: a BOM is cut off, bytes that are no UTF-8 become U+FFFD and are told of. */
export const decodedFile = (entry: TreeEntry, bytes: Buffer): SourceFile => {
  const text = bytes.toString('utf8')
  return {
    path: entry.path,
    blob: entry.blob,
    text: text.startsWith('\u{feff}') ? text.slice(1) : text,
    undecodable: !isUtf8(bytes),
  }
}
