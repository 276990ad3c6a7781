import { copyFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { SearchEngine, Tier } from '#protocol/atoms.js'
import type { DocumentHead } from '#src/domain/search/document.js'
import {
  type AskedWords,
  admitsDocument,
  averageLengthOf,
  byBestHit,
  type CollectionSize,
  coverageOf,
  idfOf,
  joinRankings,
  makeAskedWords,
  queryTermsMax,
  type RankedHit,
  type RankFilter,
  type Ranking,
  type RankingPort,
  rankLimitMax,
  saturate,
} from '#src/domain/search/ranking.js'
import type { Sqlite } from '../runtime/sqlite.js'
import { makeFolderInState } from '../state/state-area.js'
import { type Fts5Build, fts5Build, openForBuild } from './fts5-build.js'
import { writeVersions } from './row-facts.js'
import {
  findIndex,
  flushFile,
  measureFile,
  removeOthers,
  type SavedHead,
  savedFormat,
  saveHead,
} from './saved-index.js'
import { startWink } from './wink-engine.js'
import { openWinkDraft, type PackedDocument, readPacked, type WinkFile } from './wink-file.js'

/** What a build makes. The documents of changed and new sources are added after it. */
export interface BuildOrder {
  readonly folder: string
  readonly tier: Tier
  /** The file of the saved index that the build starts from; null: from nothing. */
  readonly base: string | null
  /** Sources of the base that changed or are gone. */
  readonly dropped: ReadonlyArray<string>
  /** The stamp and the versions of the content that the index holds at the end. */
  readonly stamp: string
  readonly versions: WinkFile['versions']
  readonly winkMax?: number
}

export interface IndexBuild {
  readonly add: (documents: ReadonlyArray<PackedDocument>) => void
  /** Writes and saves the index. */
  readonly finish: () => SavedHead
}

/** Begins a build, in a draft that replaces the saved index at the end. Throws where the disk refuses. */
export const startBuild = (order: BuildOrder): IndexBuild => {
  const { folder, tier, stamp } = order
  makeFolderInState(folder)
  const base = baseOf(order)
  const known = findIndex(folder, tier, false)
  const last = known._tag === 'Saved' ? known.head : null
  removeOthers(folder, tier, last?.file ?? null)
  const number = (last?.number ?? 0) + 1
  const draft = join(folder, `${tier}-${number}.draft`)
  const target = targetOf(order, base, draft)
  return {
    add: documents => {
      for (const document of documents) target.add(document)
    },
    finish: () => {
      const { engine, documents, sections } = target.finish()
      flushFile(draft)
      const { bytes, sha256 } = measureFile(draft)
      const file = `${tier}-${number}.${engine === 'wink' ? 'wink' : 'db'}`
      renameSync(draft, join(folder, file))
      const head: SavedHead = {
        format: savedFormat,
        tier,
        engine,
        file,
        number,
        bytes,
        sha256,
        documents,
        stamp,
        sections,
      }
      saveHead(folder, head)
      return head
    },
  }
}

/** A question to a part of an index, with the weights that the words have in the whole index. */
export interface PartQuestion {
  /** Distinct words. */
  readonly words: ReadonlyArray<string>
  readonly idfs: ReadonlyArray<number>
  readonly averageLength: number
  readonly asked: AskedWords
  readonly filter: RankFilter
  readonly limit: number
}

/** A part of the documents of a tier. Its sizes leave out what was dropped. */
export interface IndexPart {
  readonly size: () => CollectionSize
  /** How many documents have the word. */
  readonly frequencyOf: (word: string) => number
  readonly rank: (question: PartQuestion) => Ranking
  /** Removes the documents of a source; returns how many they were. */
  readonly drop: (source: string) => number
}

/** The index of a tier: a main part that only loses documents, and a delta that takes new ones. */
export interface TierIndex extends RankingPort {
  readonly add: (documents: ReadonlyArray<PackedDocument>) => void
  readonly drop: (source: string) => void
  readonly documents: () => number
  /** How many documents were added or dropped since the main part was built. */
  readonly changes: () => number
}

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

/** A tier above this many documents is ranked by FTS5. */
const winkDocumentsMax = 20_000

interface Target {
  readonly add: (document: PackedDocument) => void
  readonly finish: () => {
    readonly engine: SearchEngine
    readonly documents: number
    readonly sections: Array<number>
  }
}

const fts5Target = (sqlite: Sqlite, build: Fts5Build, versions: WinkFile['versions']): Target => ({
  add: build.add,
  finish: () => {
    writeVersions(sqlite, versions)
    build.finish()
    sqlite.close()
    return { engine: 'fts5', documents: build.documents(), sections: [] }
  },
})

/** Opens the draft as an FTS5 index; `from` is the file that it begins as a copy of. */
const openFts5Target = ({ dropped, versions }: BuildOrder, draft: string, from: string | null): Target => {
  if (from !== null) copyFileSync(from, draft)
  const sqlite = openForBuild(draft)
  const build = fts5Build(sqlite, from === null)
  for (const source of dropped) build.drop(source)
  return fts5Target(sqlite, build, versions)
}

/** Builds a wink; with too many documents it goes on as an FTS5 index. */
const winkTarget = (order: BuildOrder, draft: string): Target => {
  const kept = openWinkDraft(draft)
  const max = order.winkMax ?? winkDocumentsMax
  // Replaced where it is outgrown, to be collected while the next index is built.
  let wink = startWink()
  let large: Target | null = null
  const outgrow = (): Target => {
    wink = startWink()
    const target = openFts5Target({ ...order, dropped: [] }, draft, null)
    for (const document of kept.take()) target.add(document)
    kept.remove()
    return target
  }
  return {
    add: document => {
      if (large !== null) return large.add(document)
      kept.add(document)
      wink.add(document.words)
      if (wink.documents() > max) large = outgrow()
    },
    finish: () => {
      if (large !== null) return large.finish()
      const documents = wink.documents()
      const sections = kept.finish(wink.finish(), order.versions)
      return { engine: 'wink', documents, sections }
    },
  }
}

/** The base of the order; throws where it is no longer there or damaged. */
const baseOf = ({ folder, tier, base }: BuildOrder): SavedHead | null => {
  if (base === null) return null
  const found = findIndex(folder, tier, true)
  if (found._tag !== 'Saved' || found.head.file !== base)
    throw new Error(
      `the saved index ${base} is gone: ${found._tag === 'Unusable' ? found.reason : 'another one is there'}`,
    )
  return found.head
}

const targetOf = (order: BuildOrder, base: SavedHead | null, draft: string): Target => {
  const { folder, tier, dropped } = order
  if (base?.engine === 'fts5') return openFts5Target(order, draft, join(folder, base.file))
  if (base !== null) {
    const gone = new Set(dropped)
    const target = winkTarget(order, draft)
    for (const document of readPacked(join(folder, base.file), base.sections))
      if (!gone.has(document.source)) target.add(document)
    return target
  }
  return tier === 'speech' ? openFts5Target(order, draft, null) : winkTarget(order, draft)
}

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
interface DeltaPart extends IndexPart {
  readonly add: (document: PackedDocument) => void
}

const countWords = (words: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** A part in memory that documents are added to and dropped from. */
const deltaPart = (): DeltaPart => {
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

const places = (terms: ReadonlyArray<string>, words: ReadonlyArray<string>): ReadonlyArray<number> =>
  words.map(word => terms.indexOf(word))
