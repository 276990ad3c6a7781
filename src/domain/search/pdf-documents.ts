import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { BlobId } from '#protocol/atoms/commit.js'
import { parseJson } from '#src/domain/json/parse-json.js'
import { namesTopics } from '#src/domain/lore/withheld-tags.js'
import { redactCredentials } from '#src/domain/redaction/scrub.js'
import type { SearchDocument } from './document.js'
import { type Lemmas, termsOf } from './document-terms.js'
import { publicVisibility } from './documents.js'

const PdfText = t.type(
  { pages: t.readonlyArray(t.type({ text: t.string, confidence: t.number })) },
  'PdfText',
)

export const pdfSuffix = '.pdf.json'

/** The text of the pages that are read with enough confidence, by the number of the page from 1. */
export const pagesOf = (json: string, confidenceFloor: number): ReadonlyMap<number, string> => {
  const read = PdfText.decode(parseJson(json))
  const pages = new Map<number, string>()
  if (isLeft(read)) return pages
  for (const [at, { text, confidence }] of read.right.pages.entries())
    if (confidence >= confidenceFloor && text.trim() !== '' && !namesTopics(text))
      pages.set(at + 1, redactCredentials(text))
  return pages
}

/**
 * The documents of the text of a PDF, one for each page; `line` is the number of the page. A page that names
 * restricted topics is in none, because the lines of such a text do not show where they end.
 */
export const pdfDocuments = (
  { path, blob, text }: { readonly path: string; readonly blob: BlobId; readonly text: string },
  confidenceFloor: number,
  lemmas: Lemmas,
): ReadonlyArray<SearchDocument> => {
  const source = path.slice(0, -'.json'.length)
  const title = source.slice(source.lastIndexOf('/') + 1)
  const titleTerms = termsOf(title.replace(/\.pdf$/u, ''), lemmas)
  return [...pagesOf(text, confidenceFloor)].map(([page, shown]) => ({
    id: `${path}#${page}`,
    source,
    kind: 'external',
    path,
    blob,
    bytes: { from: 0, to: 0 },
    line: page,
    title,
    header: null,
    day: null,
    diegesis: null,
    authority: 'external',
    visibility: publicVisibility,
    terms: [...titleTerms, ...termsOf(shown, lemmas)],
  }))
}
