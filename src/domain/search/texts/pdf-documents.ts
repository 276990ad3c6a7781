import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type BlobId, CommitId, type Tier } from '#protocol/atoms.js'
import { readJsonInSlices } from '#src/domain/json/json-text.js'
import { roleOf, type SourceFile } from '#src/domain/lore/layout.js'
import { namesTopics, pathNamesTopics } from '#src/domain/lore/topic-text.js'
import { redactCredentials } from '#src/domain/redaction/scrub.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { DocumentHead, SearchDocument } from '../document.js'
import type { TierStates } from '../search-page.js'
import { type DocumentPlan, type Lemmas, publicVisibility, termsInSlices, termsOf } from './documents.js'
import { sliceBytes } from './sections.js'

export const pdfSuffix = '.pdf.json'

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

/**
 * Whether a file of the works tree is a document: Markdown, or the text of a PDF. The tree may be the lore
 * itself, so what the lore does not show is none here either. An answer shows the path, so it must name no topics.
 */
export const isWorksDocument = (path: string): boolean => {
  const name = path.normalize('NFC')
  if (pathNamesTopics(name)) return false
  if (otherFolders.some(folder => name.startsWith(folder))) return false
  if (name.endsWith(pdfSuffix)) return !name.startsWith('.') && !name.startsWith('zgłoszenia/')
  return roleOf(name) === 'sessions'
}

/** Grows with every change of how documents are made of files, so that every source of a saved index is read again. */
export const documentVersion = 3

/** The stamp of the content of a tier: equal stamps mean equal documents. */
export const contentStamp = ({ commit, tree, annotations, language, setup }: ContentInputs): string =>
  [commit ?? '', tree, annotations, language, setup, documentVersion].join('.')

/** The commits that the indexes of the lore hold; null for one that does not say. */
export const indexedCommitsOf = (states: TierStates): ReadonlyArray<CommitId | null> =>
  loreTiers.flatMap(tier => {
    const state = states[tier]
    return state._tag === 'Live' ? [commitOfStamp(state.stamp)] : []
  })

const PdfPage = t.type({ text: t.string, confidence: t.number }, 'PdfPage')
type PdfPage = t.TypeOf<typeof PdfPage>
const PdfText = t.type({ pages: t.UnknownArray }, 'PdfText')

/** The most pages of a file; those after them are not indexed. */
const pdfPagesMax = 20_000
/** A longer page is indexed, and shown, as far as this. */
const pageCharsMax = 60_000

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
const pageInSlices = function* (json: string, page: number, confidenceFloor: number): Sliced<string | null> {
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

/** Folders of a works tree that hold no documents: records of the host and of governance. */
const otherFolders: ReadonlyArray<string> = [
  'governance/',
  '.svc/',
  '.git/',
  'encje/',
  'Postaci/Gracze/',
  'lematy/',
]

/** What the documents of a tier are made of. A tree is named by the id of its head. */
interface ContentInputs {
  /** The commit of the lore; null for a plain directory, and for a tier without lore. */
  readonly commit: CommitId | null
  readonly tree: string
  readonly annotations: string
  readonly language: string
  readonly setup: string
}

/** The commit of the lore that an index with this stamp holds; null where it names none. */
const commitOfStamp = (stamp: string): CommitId | null => {
  const commit = CommitId.decode(stamp.slice(0, stamp.indexOf('.')))
  return isLeft(commit) ? null : commit.right
}

const loreTiers: ReadonlyArray<Tier> = ['lore', 'session']
