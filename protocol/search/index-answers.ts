import * as t from 'io-ts'
import { SearchEngine, Tier } from './tier.js'

/** What was under way when an index or a thread of a tier could not be used. */
export const TroubleDuring = t.keyof({ loading: null, building: null, ranking: null }, 'TroubleDuring')
export type TroubleDuring = t.TypeOf<typeof TroubleDuring>

/**
 * Why: the saved file is damaged or of another version, the thread ended or ran out of memory, the disk refused,
 * or something else that the log of the host has.
 */
export const TroubleCause = t.keyof(
  { damaged: null, ended: null, memory: null, disk: null, failed: null },
  'TroubleCause',
)
export type TroubleCause = t.TypeOf<typeof TroubleCause>

export const SearchTrouble = t.type(
  {
    during: TroubleDuring,
    cause: TroubleCause,
    /** An instant, ISO 8601 in UTC. */
    at: t.string,
  },
  'SearchTrouble',
)

export const SearchIndexTier = t.type(
  {
    tier: Tier,
    state: t.keyof({ disabled: null, starting: null, live: null }),
    building: t.boolean,
    engine: t.union([SearchEngine, t.null]),
    stamp: t.union([t.string, t.null]),
    documents: t.number,
    changes: t.number,
    trouble: t.union([SearchTrouble, t.null]),
  },
  'SearchIndexTier',
)
export type SearchIndexTier = t.TypeOf<typeof SearchIndexTier>

/** The answer of `GET /search/index`. */
export const SearchIndexAnswer = t.type({ tiers: t.array(SearchIndexTier) }, 'SearchIndexAnswer')

/** The answer of a rebuild: the tiers that have a new index, or would get one. */
export const SearchRebuilt = t.type({ tiers: t.array(Tier) }, 'SearchRebuilt')
export type SearchRebuilt = t.TypeOf<typeof SearchRebuilt>
