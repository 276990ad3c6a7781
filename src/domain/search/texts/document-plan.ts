import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'
import type { SearchDocument } from '../document.js'

/** The documents of one text before they are made, by their place from 0 to `count`. */
export interface DocumentPlan {
  readonly count: number
  /** Null where the part of the text has no words. */
  readonly documentAt: (at: number) => Sliced<SearchDocument | null>
}

/** A batch ends with this many documents, or once they have this many words: it is sent in one turn. */
const batchDocumentsMax = 64
const batchTermsMin = 8192

export interface DocumentBatch {
  readonly documents: ReadonlyArray<SearchDocument>
  /** The place that the next batch begins with; null after the last. */
  readonly next: number | null
}

/** Makes the documents from `from` on, as many as are sent at once. */
export const nextDocuments = function* (plan: DocumentPlan, from: number): Sliced<DocumentBatch> {
  const documents: Array<SearchDocument> = []
  let terms = 0
  for (let at = from; at < plan.count; at += 1) {
    if (documents.length >= batchDocumentsMax || terms >= batchTermsMin) return { documents, next: at }
    const document = yield* plan.documentAt(at)
    if (document !== null) documents.push(document)
    terms += document?.terms.length ?? 0
    yield
  }
  return { documents, next: null }
}

/** Every document of a text, in one turn. */
export const documentsAtOnce = (plan: DocumentPlan): ReadonlyArray<SearchDocument> => {
  const all: Array<SearchDocument> = []
  for (let from: number | null = 0; from !== null; ) {
    const batch: DocumentBatch = atOnce(nextDocuments(plan, from))
    for (const document of batch.documents) all.push(document)
    from = batch.next
  }
  return all
}
