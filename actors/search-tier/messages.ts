import * as t from 'io-ts'
import { Tier } from '#protocol/atoms.js'
import { replyTo } from '#src/kernel/actor/ref.js'

/** How the rebuild that was asked for ended: null, or why a tier has no new index. */
export type RebuildEnd = string | null

const ofRanker = { tier: Tier, ranker: t.number }

/** The content of the tier changed. */
const Changed = t.type({ _tag: t.literal('Changed'), tier: Tier })
/** A thread has loaded the saved index. */
const Loaded = t.type({ _tag: t.literal('Loaded'), ...ofRanker })
/** A thread found no index that can be used. */
const Absent = t.type({ _tag: t.literal('Absent'), ...ofRanker })
/**
 * A thread has the changes that it was sent. `isBehind`: they were too many, so it has only lost documents.
 * `isLarge`: its changes are worth a merge.
 */
const Fed = t.type({ _tag: t.literal('Fed'), ...ofRanker, isBehind: t.boolean, isLarge: t.boolean })
/** A ranking thread ended that was not retired. */
const RankerEnded = t.type({ _tag: t.literal('RankerEnded'), ...ofRanker })
const Built = t.type({ _tag: t.literal('Built'), tier: Tier, build: t.number })
/** `isEarly`: the content is not known yet. */
const BuildFailed = t.type({
  _tag: t.literal('BuildFailed'),
  tier: Tier,
  build: t.number,
  reason: t.string,
  isEarly: t.boolean,
})
/** Asks for new indexes from nothing; answered once each has replaced the old one. */
const Rebuild = t.type({ _tag: t.literal('Rebuild'), tiers: t.array(Tier), replyTo: replyTo<RebuildEnd>() })
/** To self: it is time to start a ranking thread, or to build. */
const StartDue = t.type({ _tag: t.literal('StartDue'), tier: Tier })
const BuildDue = t.type({ _tag: t.literal('BuildDue'), tier: Tier })
const Drain = t.type({ _tag: t.literal('Drain') })
const Closed = t.type({ _tag: t.literal('Closed') })

export const SearchTierMessage = t.union(
  [Changed, Loaded, Absent, Fed, RankerEnded, Built, BuildFailed, Rebuild, StartDue, BuildDue, Drain, Closed],
  'SearchTierMessage',
)
export type SearchTierMessage = t.TypeOf<typeof SearchTierMessage>
