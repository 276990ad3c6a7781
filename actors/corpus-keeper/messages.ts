import * as t from 'io-ts'
import { CommitId } from '#protocol/atoms.js'
import { replyTo } from '#src/kernel/actor/ref.js'

/** The result of a look at the heads: the current generation after it, or why it failed. */
export const LookOutcome = t.union([
  t.type({ _tag: t.literal('Current'), generation: t.number, commit: t.union([CommitId, t.null]) }),
  /** `headId` names the tree that failed to load; null where HEAD itself could not be read. */
  t.type({ _tag: t.literal('LookFailed'), reason: t.string, headId: t.union([t.string, t.null]) }),
])
export type LookOutcome = t.TypeOf<typeof LookOutcome>

/** Looks now; answered by a look that begins after this message arrives. */
const Refresh = t.type({ _tag: t.literal('Refresh'), replyTo: replyTo<LookOutcome>() })
/** To self: it is time for the next look. */
const Tick = t.type({ _tag: t.literal('Tick') })
/** To self: the running look has ended. */
const Looked = t.type({ _tag: t.literal('Looked'), outcome: LookOutcome })

/** To self: it is time to look at the checkout. */
const Watch = t.type({ _tag: t.literal('Watch') })
/** To self: the look at the checkout has ended, after `tookMs`. */
const Watched = t.type({ _tag: t.literal('Watched'), tookMs: t.number })

export const CorpusKeeperMessage = t.union([Refresh, Tick, Looked, Watch, Watched], 'CorpusKeeperMessage')
export type CorpusKeeperMessage = t.TypeOf<typeof CorpusKeeperMessage>
export type Refresh = t.TypeOf<typeof Refresh>
