import type { Annotations } from '#actors/corpus-keeper/annotations.js'
import { noEntries } from '#actors/corpus-keeper/named-files.js'
import { type Tier, tiers } from '#protocol/atoms.js'
import { tierIndex } from '#src/adapters/search/build-index.js'
import { packDocument } from '#src/adapters/search/wink-file.js'
import type { DocumentHead, SearchDocument, TierContent } from '#src/domain/search/document.js'
import type { RankedHit } from '#src/domain/search/ranking.js'
import type { TierState } from '#src/domain/search/search-page.js'
import { noLemmas, planWorks } from '#src/domain/search/texts/documents.js'
import {
  isWorksDocument,
  passageInSlices,
  pdfSuffix,
  planPdf,
} from '#src/domain/search/texts/pdf-documents.js'
import { readFileLines } from '#src/domain/search/texts/sections.js'
import { type Misses, noMisses } from '#src/domain/search/zero-results.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import {
  type LoreTexts,
  loreContent,
  passagesInMemory,
  recordOutcomes,
  sessionContent,
} from '#src/node/search/texts.js'
import type { Host } from '#src/ports/host.js'
import { type Build, buildSnapshot, type Inputs } from '#src/snapshot/build.js'
import { documentsAtOnce } from '#test/support/at-once.js'
import { sourceFile } from '../world.js'

const none = { size: () => ({ documents: 0, words: 0 }), frequencyOf: () => 0, drop: () => 0 }
const noPart = { ...none, rank: () => ({ hits: [], total: 0, totalIsLowerBound: false }) }

const noAnnotations: Annotations = { files: noEntries, known: new Map(), lexicon: null, findings: [] }

const breathe = (): Promise<void> => Promise.resolve()

const allOf = async ({ read, sources }: TierContent): Promise<ReadonlyArray<SearchDocument>> => {
  const all: Array<SearchDocument> = []
  for await (const batch of read([...sources.keys()])) all.push(...batch)
  return all
}

export interface MemorySearchOptions {
  /** Works documents by path; if absent, the host has no works tree. */
  readonly works?: Readonly<Record<string, string>>
  readonly annotations?: Annotations
  /** Tiers that are not `Live`. */
  readonly states?: Partial<Record<Tier, TierState>>
  readonly stamp?: string
}

/** What the tests of search hold of it: its ports, and the documents of each tier. */
export interface MemorySearch extends Pick<Host, 'misses' | 'search'> {
  readonly documents: Readonly<Record<Tier, ReadonlyArray<SearchDocument>>>
}

const worksOf = (works: Readonly<Record<string, string>>): ReadonlyArray<SearchDocument> =>
  Object.entries(works)
    .filter(([path]) => isWorksDocument(path))
    .flatMap(([path, text]) => {
      const file = sourceFile(path, text)
      return path.endsWith(pdfSuffix)
        ? documentsAtOnce(atOnce(planPdf(file, 0.5, noLemmas)))
        : documentsAtOnce(atOnce(planWorks(atOnce(readFileLines(file)), noLemmas)))
    })

/** Search over a world in memory, with the ranking of the product and without its threads. */
export const searchInMemory = async (
  inputs: Inputs,
  options: MemorySearchOptions = {},
  build: Build = buildSnapshot(inputs, null),
): Promise<MemorySearch> => {
  const { works = {}, annotations = noAnnotations, states = {}, stamp = 'x.y' } = options
  const loreHead = { commit: inputs.commit, id: inputs.id }
  const texts: LoreTexts = { lore: inputs.lore, inputs, annotations, loreHead, build }
  const documents = {
    lore: await allOf(atOnce(loreContent(texts, breathe))),
    session: await allOf(atOnce(sessionContent(texts, breathe))),
    speech: [],
    external: worksOf(works),
  }
  const indexes = Object.fromEntries(
    tiers.map(tier => [tier, tierIndex(noPart, documents[tier].map(packDocument))]),
  )
  const stateOf = (tier: Tier): TierState =>
    states[tier] ?? { _tag: 'Live', engine: 'wink', stamp, documents: documents[tier].length }
  const hitsOf = (tier: Tier, hits: ReadonlyArray<Omit<RankedHit, 'document'>>): ReadonlyArray<RankedHit> =>
    hits.flatMap(hit => {
      const document = documents[tier].find(one => one.id === hit.id)
      if (document === undefined) return []
      const { terms: _, ...head }: SearchDocument = document
      return [{ ...hit, document: head }]
    })
  let misses: Misses = noMisses
  const file = {
    misses: () => misses,
    change: (next: (before: Misses) => Misses) => {
      misses = next(misses)
      return Promise.resolve()
    },
  }
  const readWorks = ({ path, blob: _, ...rest }: DocumentHead) => {
    const text = works[path]
    return text === undefined ? null : atOnce(passageInSlices(Buffer.from(text), { path, ...rest }, 0.5))
  }
  return {
    documents,
    misses: file.misses,
    search: {
      asker: {
        states: () => ({
          lore: stateOf('lore'),
          session: stateOf('session'),
          speech: stateOf('speech'),
          external: stateOf('external'),
        }),
        watch: () => undefined,
        rank: (tier, question) => {
          const state = stateOf(tier)
          if (state._tag !== 'Live') return Promise.resolve(state)
          const { hits, ...rest } = indexes[tier]?.rank(question) ?? {
            hits: [],
            total: 0,
            totalIsLowerBound: false,
          }
          return Promise.resolve({ _tag: 'Ranked', stamp: state.stamp, hits: hitsOf(tier, hits), ...rest })
        },
      },
      readPassage: async (document, snapshot) =>
        document.kind === 'external'
          ? readWorks(document)
          : ((await passagesInMemory(document, snapshot)) ?? null),
      record: recordOutcomes(file),
    },
  }
}
