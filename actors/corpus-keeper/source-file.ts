import { isUtf8 } from 'node:buffer'
import type { SourceFile } from '#src/domain/lore/layout.js'
import type { TreeEntry } from '#src/ports/git.js'

/**
 * The text of a committed file without a BOM. Bytes that are not UTF-8 become U+FFFD and set `undecodable`.
 */
export const decodeFile = (entry: TreeEntry, bytes: Buffer): SourceFile => {
  const text = bytes.toString('utf8')
  const undecodable = !isUtf8(bytes)
  const { path, blob } = entry
  return text.startsWith('\u{feff}')
    ? { path, blob, text: text.slice(1), undecodable, bom: true }
    : { path, blob, text, undecodable }
}
