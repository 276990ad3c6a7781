import type { SearchEngine, Tier } from '#protocol/search/tier.js'

/** What became of an index or of a thread of a tier that could not be used. */
export interface TierTrouble {
  readonly atMs: number
  /** What was under way. */
  readonly during: 'loading' | 'building' | 'ranking'
  readonly reason: string
}

/** What `GET /search/index` shows of a tier. */
export interface TierReading {
  readonly tier: Tier
  readonly state: 'disabled' | 'starting' | 'live'
  readonly isBuilding: boolean
  readonly engine: SearchEngine | null
  readonly stamp: string | null
  readonly documents: number
  /** Documents that changed since the main part was built. */
  readonly changes: number
  /** The last trouble; null where there was none since the start. */
  readonly trouble: TierTrouble | null
}
