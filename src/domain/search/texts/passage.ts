import type { SourceFile } from '#src/domain/lore/source-file.js'
import { redactCredentials } from '#src/domain/redaction/scrub.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { DocumentHead } from '../document.js'
import { sliceBytes } from './byte-range.js'
import { pageInSlices, pdfSuffix } from './pdf-documents.js'

/**
 * The text of a document in the bytes of its blob, as it may be shown. It has no withheld line, because no
 * document covers one. Null where the bytes do not have it.
 */
export const passageInSlices = function* (
  bytes: Buffer,
  { path, line, bytes: { from, to } }: Pick<DocumentHead, 'path' | 'line' | 'bytes'>,
  confidenceFloor: number,
): Sliced<string | null> {
  if (path.endsWith(pdfSuffix)) return yield* pageInSlices(bytes.toString('utf8'), line ?? 0, confidenceFloor)
  return to > bytes.length ? null : redactCredentials(bytes.toString('utf8', from, to))
}

/** The text of a document of lore in its file, as it may be shown; null where the file ends before it. */
export const passageOfFile = (
  file: SourceFile,
  { bytes: { from, to } }: Pick<DocumentHead, 'bytes'>,
): string | null => {
  const bom = file.bom === true ? 3 : 0
  const text = sliceBytes(file, from - bom, to - bom)
  return text === null ? null : redactCredentials(text)
}
