import type { SearchEngine, Tier } from '#protocol/atoms.js'
import type { TroubleCause, TroubleDuring } from '#protocol/search.js'

/** An index or a thread of a tier that could not be used. */
export interface TierTrouble {
  readonly atMs: number
  readonly during: TroubleDuring
  readonly cause: TroubleCause
}

/** The state of one tier. */
export interface TierReading {
  readonly tier: Tier
  readonly state: 'disabled' | 'starting' | 'live'
  readonly isBuilding: boolean
  readonly engine: SearchEngine | null
  readonly stamp: string | null
  readonly documents: number
  /** Documents that changed since the main part was built. */
  readonly changes: number
  /** The last one; null where there was none since the start. */
  readonly trouble: TierTrouble | null
}
