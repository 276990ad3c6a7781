import {
  averageLengthOf,
  idfOf,
  joinRankings,
  makeAskedWords,
  queryTermsMax,
  type Ranking,
  type RankingPort,
  rankLimitMax,
} from '#src/domain/search/ranking.js'
import { deltaPart } from './delta-part.js'
import type { IndexPart } from './index-part.js'
import type { PackedDocument } from './packed-document.js'

/** The index of a tier: a main part that only loses documents, and a delta that takes new ones. */
export interface TierIndex extends RankingPort {
  readonly add: (documents: ReadonlyArray<PackedDocument>) => void
  readonly drop: (source: string) => void
  readonly documents: () => number
  /** How many documents were added or dropped since the main part was built. */
  readonly changes: () => number
}

const places = (terms: ReadonlyArray<string>, words: ReadonlyArray<string>): ReadonlyArray<number> =>
  words.map(word => terms.indexOf(word))

/** @param small documents that are too few for a main part of their own. */
export const tierIndex = (main: IndexPart, small: Iterable<PackedDocument> = []): TierIndex => {
  const delta = deltaPart()
  for (const document of small) delta.add(document)
  let changes = 0
  const rank: RankingPort['rank'] = ({ terms, covers, filter, offset, limit: wanted }) => {
    const words = [...new Set(terms)].slice(0, queryTermsMax)
    const limit = wanted <= 0 ? 0 : Math.min(offset + wanted, rankLimitMax)
    const [mainSize, deltaSize] = [main.size(), delta.size()]
    const size = {
      documents: mainSize.documents + deltaSize.documents,
      words: mainSize.words + deltaSize.words,
    }
    const at = places(terms, words)
    const frequencies = words.map(word => main.frequencyOf(word) + delta.frequencyOf(word))
    const question = {
      words,
      idfs: frequencies.map(having => idfOf(size.documents, having)),
      averageLength: averageLengthOf(size),
      asked: makeAskedWords(
        at.map(one => covers?.[one] ?? 0),
        frequencies,
      ),
      filter,
      limit,
    }
    const joined: Ranking = joinRankings(main.rank(question), delta.rank(question), limit)
    return {
      ...joined,
      hits: joined.hits
        .slice(offset)
        .map(hit => ({ ...hit, matched: hit.matched.flatMap(one => at[one] ?? []) })),
    }
  }
  return {
    rank,
    add: documents => {
      for (const document of documents) delta.add(document)
      changes += documents.length
    },
    drop: source => {
      changes += main.drop(source) + delta.drop(source)
    },
    documents: () => main.size().documents + delta.size().documents,
    changes: () => changes,
  }
}
