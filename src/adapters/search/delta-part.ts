import type { DocumentHead } from '#src/domain/search/document.js'
import {
  admitsDocument,
  byBestHit,
  coverageOf,
  type RankedHit,
  saturate,
} from '#src/domain/search/ranking.js'
import type { IndexPart } from './index-part.js'
import type { PackedDocument } from './packed-document.js'

interface DeltaDocument {
  readonly head: DocumentHead
  readonly length: number
  isDropped: boolean
}
interface Posting {
  readonly document: DeltaDocument
  readonly count: number
}

/** The documents that changed since the main part was built. */
export interface DeltaPart extends IndexPart {
  readonly add: (document: PackedDocument) => void
}

const countWords = (words: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** A part in memory that documents are added to and dropped from. */
export const deltaPart = (): DeltaPart => {
  const postings = new Map<string, Array<Posting>>()
  const bySource = new Map<string, Array<DeltaDocument>>()
  const size = { documents: 0, words: 0 }
  const livingOf = (word: string): ReadonlyArray<Posting> =>
    (postings.get(word) ?? []).filter(({ document }) => !document.isDropped)
  return {
    size: () => ({ ...size }),
    frequencyOf: word => livingOf(word).length,
    add: ({ words: text, ...head }) => {
      const words = text.split(' ').filter(word => word !== '')
      const document: DeltaDocument = { head, length: words.length, isDropped: false }
      size.documents += 1
      size.words += words.length
      const siblings = bySource.get(head.source) ?? []
      siblings.push(document)
      bySource.set(head.source, siblings)
      for (const [word, count] of countWords(words)) {
        const list = postings.get(word) ?? []
        list.push({ document, count })
        postings.set(word, list)
      }
    },
    drop: source => {
      const documents = bySource.get(source) ?? []
      bySource.delete(source)
      for (const document of documents) {
        document.isDropped = true
        size.documents -= 1
        size.words -= document.length
      }
      return documents.length
    },
    rank: ({ words, idfs, averageLength, asked, filter, limit }) => {
      const found = new Map<DeltaDocument, { score: number; has: number; matched: Array<number> }>()
      const inSource = new Map<string, number>()
      for (const [at, word] of words.entries())
        for (const { document, count } of livingOf(word)) {
          if (!admitsDocument(filter, document.head)) continue
          const known = found.get(document) ?? { score: 0, has: 0, matched: [] }
          known.score += (idfs[at] ?? 0) * saturate(count, document.length, averageLength)
          known.has |= asked.ofTerm[at] ?? 0
          known.matched.push(at)
          const { source } = document.head
          inSource.set(source, (inSource.get(source) ?? 0) | known.has)
          found.set(document, known)
        }
      const best = new Map<string, RankedHit>()
      for (const [{ head }, { score, has, matched }] of found) {
        const coverage = coverageOf(asked, has, inSource.get(head.source) ?? 0)
        const hit: RankedHit = { id: head.id, score, coverage, matched, document: head }
        const rival = best.get(head.source)
        if (rival === undefined || byBestHit(hit, rival) < 0) best.set(head.source, hit)
      }
      const hits = [...best.values()].sort(byBestHit).slice(0, limit)
      return { hits, total: best.size, totalIsLowerBound: false }
    },
  }
}
