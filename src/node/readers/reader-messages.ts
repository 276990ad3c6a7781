import type { ToThread } from '#src/snapshot/readers/thread-messages.js'
import type { TierNotice } from '../search/threads/tier-messages.js'

/** Messages to a reader thread: those of its generations, and the states of the search tiers. */
export type ToReader = ToThread | ({ readonly _tag: 'Search' } & TierNotice)
