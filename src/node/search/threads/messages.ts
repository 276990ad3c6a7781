import type { MessagePort } from 'node:worker_threads'
import * as t from 'io-ts'
import { type NameKey, SearchEngine, type Tier } from '#protocol/atoms.js'
import type { BuildOrder } from '#src/adapters/search/build-index.js'
import type { PackedDocument } from '#src/adapters/search/wink-file.js'
import { workerThreads } from '#src/adapters/worker-thread.js'
import type { RankedHit, RankQuestion } from '#src/domain/search/ranking.js'
import type { TierState } from '#src/domain/search/search-page.js'
import type { TextGroup } from '#src/domain/search/texts/lemma-sidecar.js'
import type { OpenThread } from '#src/ports/host.js'

/** Messages from the main thread to the thread that ranks a tier. */
export type ToRanker =
  | { readonly _tag: 'Load'; readonly folder: string; readonly tier: Tier }
  /** Changes that were gathered; `Applied` answers. */
  | {
      readonly _tag: 'Change'
      readonly dropped: ReadonlyArray<string>
      readonly added: ReadonlyArray<PackedDocument>
      readonly stamp: string
    }
  /** Opens a line for questions. */
  | { readonly _tag: 'Connect'; readonly port: MessagePort }
  /** The thread ends once every line is closed. */
  | { readonly _tag: 'Retire' }

const Versions = t.readonlyArray(t.readonly(t.tuple([t.string, t.string])))

export const FromRanker = t.union(
  [
    t.type({
      _tag: t.literal('Loaded'),
      engine: SearchEngine,
      file: t.string,
      stamp: t.string,
      documents: t.number,
      versions: Versions,
    }),
    /** There is no saved index, or with a reason, none that can be used. */
    t.type({ _tag: t.literal('Absent'), reason: t.union([t.string, t.null]) }),
    t.type({ _tag: t.literal('Applied'), stamp: t.string, documents: t.number, changes: t.number }),
  ],
  'FromRanker',
)
export type FromRanker = t.TypeOf<typeof FromRanker>
export type LoadedIndex = Extract<FromRanker, { readonly _tag: 'Loaded' }>

/** Messages from the main thread to a thread that builds. */
export type ToBuilder =
  | { readonly _tag: 'Build'; readonly order: BuildOrder }
  | { readonly _tag: 'Add'; readonly documents: ReadonlyArray<PackedDocument> }
  /** Lemmas of the language data, before the first `Cut`. */
  | { readonly _tag: 'Lemmas'; readonly lemmas: ReadonlyArray<readonly [NameKey, ReadonlyArray<string>]> }
  /** Texts to make documents of; `Taken` answers. */
  | { readonly _tag: 'Cut'; readonly group: TextGroup }
  | { readonly _tag: 'Finish' }

export const FromBuilder = t.union(
  [
    t.type({ _tag: t.literal('Taken') }),
    t.type({ _tag: t.literal('Built'), documents: t.number, engine: SearchEngine }),
    t.type({
      _tag: t.literal('Failed'),
      cause: t.keyof({ disk: null, failed: null, damaged: null }),
      reason: t.string,
    }),
  ],
  'FromBuilder',
)
export type FromBuilder = t.TypeOf<typeof FromBuilder>

/** A question on a line to a thread that ranks, and its answer. */
export interface AskOnLine {
  readonly id: number
  readonly question: RankQuestion
}
export interface AnswerOnLine {
  readonly id: number
  readonly stamp: string
  readonly hits: ReadonlyArray<RankedHit>
  readonly total: number
  readonly totalIsLowerBound: boolean
}

/** What an asker receives for a tier: its state, and for a new thread the port to it. */
export interface TierNotice {
  readonly tier: Tier
  readonly state: TierState
  readonly port: MessagePort | null
}

export interface OpenSearchThreads {
  readonly ranker: OpenThread<ToRanker, FromRanker>
  readonly builder: OpenThread<ToBuilder, FromBuilder>
}

/** Twice what 20,000 documents need in wink while its export is read. */
const heapMbMax = 1024

/** Opens the search threads of the built daemon. */
export const openSearchThreads: OpenSearchThreads = {
  ranker: workerThreads({ entry: new URL('./rank-thread.js', import.meta.url), says: FromRanker, heapMbMax }),
  builder: workerThreads({
    entry: new URL('./build-thread.js', import.meta.url),
    says: FromBuilder,
    heapMbMax,
  }),
}
