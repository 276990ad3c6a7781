import { redactCredentials } from '#src/domain/redaction/scrub.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { DocumentHead } from '../document.js'
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
