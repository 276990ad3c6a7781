import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { BlobId } from '#protocol/atoms.js'
import { readJsonInSlices } from '#src/domain/json/json-text.js'
import { namesTopics } from '#src/domain/lore/withheld-tags.js'
import { redactCredentials } from '#src/domain/redaction/scrub.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { SearchDocument } from '../document.js'
import type { DocumentPlan } from './document-plan.js'
import { type Lemmas, termsInSlices, termsOf } from './document-terms.js'
import { publicVisibility } from './documents.js'

const PdfPage = t.type({ text: t.string, confidence: t.number }, 'PdfPage')
type PdfPage = t.TypeOf<typeof PdfPage>
const PdfText = t.type({ pages: t.UnknownArray }, 'PdfText')

export const pdfSuffix = '.pdf.json'

/** The most pages of a file; those after them are not indexed. */
export const pdfPagesMax = 20_000
/** A longer page is indexed, and shown, as far as this. */
export const pageCharsMax = 60_000

const noPages: ReadonlyArray<PdfPage> = []

/** The pages of a text of a PDF; none where a page is none. */
const readPages = function* (json: string): Sliced<ReadonlyArray<PdfPage>> {
  const read = yield* readJsonInSlices(json)
  if (isLeft(read) || !PdfText.is(read.right)) return noPages
  const pages: Array<PdfPage> = []
  for (const one of read.right.pages.slice(0, pdfPagesMax)) {
    if (!PdfPage.is(one)) return noPages
    pages.push(one)
    if (pages.length % 256 === 0) yield
  }
  return pages
}

/** The text of a page as it may be shown; null for one that is read with too little confidence or has none. */
const visibleText = ({ text, confidence }: PdfPage, confidenceFloor: number): string | null => {
  if (confidence < confidenceFloor || namesTopics(text)) return null
  const shown = redactCredentials(text.slice(0, 2 * pageCharsMax)).slice(0, pageCharsMax)
  return shown.trim() === '' ? null : shown
}

/** The text of one page, counted from 1, as it may be shown; null where there is none. */
export const pageInSlices = function* (
  json: string,
  page: number,
  confidenceFloor: number,
): Sliced<string | null> {
  const found = (yield* readPages(json))[page - 1]
  return found === undefined ? null : visibleText(found, confidenceFloor)
}

interface PdfFile {
  readonly path: string
  readonly blob: BlobId
  readonly text: string
}

/** The document of the page `number`, which is its `line`. */
const documentOfPage = function* (
  { path, blob }: PdfFile,
  number: number,
  shown: string,
  lemmas: Lemmas,
): Sliced<SearchDocument> {
  const source = path.slice(0, -'.json'.length)
  const title = source.slice(source.lastIndexOf('/') + 1)
  return {
    id: `${path}#${number}`,
    source,
    kind: 'external',
    path,
    blob,
    bytes: { from: 0, to: 0 },
    line: number,
    title,
    header: null,
    day: null,
    diegesis: null,
    authority: 'external',
    visibility: publicVisibility,
    terms: [...termsOf(title.replace(/\.pdf$/u, ''), lemmas), ...(yield* termsInSlices(shown, lemmas))],
  }
}

/**
 * The documents of the text of a PDF, one for each page. A page that names restricted topics is in none, because
 * the lines of such a text do not show where they end.
 */
export const planPdf = function* (
  file: PdfFile,
  confidenceFloor: number,
  lemmas: Lemmas,
): Sliced<DocumentPlan> {
  const pages = yield* readPages(file.text)
  return {
    count: pages.length,
    documentAt: function* (at) {
      const page = pages[at]
      const shown = page === undefined ? null : visibleText(page, confidenceFloor)
      return shown === null ? null : yield* documentOfPage(file, at + 1, shown, lemmas)
    },
  }
}
