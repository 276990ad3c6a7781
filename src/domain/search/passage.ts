import { redactCredentials } from '#src/domain/redaction/scrub.js'
import type { DocumentHead } from './document.js'
import { pagesOf, pdfSuffix } from './pdf-documents.js'

/**
 * The text of a document in the bytes of its blob, as it may be shown. It has no withheld line, because no
 * document covers one. Null where the bytes do not have it.
 */
export const passageIn = (
  bytes: Buffer,
  { path, line, bytes: { from, to } }: Pick<DocumentHead, 'path' | 'line' | 'bytes'>,
  confidenceFloor: number,
): string | null => {
  if (path.endsWith(pdfSuffix)) return pagesOf(bytes.toString('utf8'), confidenceFloor).get(line ?? 0) ?? null
  return to > bytes.length ? null : redactCredentials(bytes.toString('utf8', from, to))
}
