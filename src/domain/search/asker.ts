import type { SearchEngine, Tier } from '#protocol/atoms.js'
import type { RankedHit, RankQuestion } from './ranking.js'

/**
 * What answers for a tier now: nothing, because the host does not index it; nothing yet; or an index.
 * `stamp` is that of the `TierContent` that the index holds.
 */
export type TierState =
  | { readonly _tag: 'Disabled' }
  | { readonly _tag: 'Starting' }
  | {
      readonly _tag: 'Live'
      readonly engine: SearchEngine
      readonly stamp: string
      readonly documents: number
    }

export type RankAnswer =
  | {
      readonly _tag: 'Ranked'
      /** The stamp of the index that ranked. */
      readonly stamp: string
      readonly hits: ReadonlyArray<RankedHit>
      readonly total: number
      readonly totalIsLowerBound: boolean
    }
  /** `server.search_index` does not name the tier. */
  | { readonly _tag: 'Disabled' }
  /** The first index is still built or loaded. */
  | { readonly _tag: 'Starting' }
  /** The thread of the tier ended twice over the question, or took too long. */
  | { readonly _tag: 'Failed'; readonly reason: 'ended' | 'late' | 'full' }

/** Asks the threads of the tiers. The main thread and every reader thread have one. Never rejects. */
export interface SearchAsker {
  readonly states: () => Readonly<Record<Tier, TierState>>
  readonly rank: (tier: Tier, question: RankQuestion) => Promise<RankAnswer>
  /** Registers a callback, which runs after each change of `states`. */
  readonly watch: (changed: () => void) => void
}
