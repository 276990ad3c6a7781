import * as t from 'io-ts'
import { CommitId } from '#protocol/atoms/commit.js'
import { replyTo } from '#src/kernel/actor/ref.js'

/** What a look at the heads found: the generation that is current after it, or why it could not be taken. */
export const LookOutcome = t.union([
  t.type({ _tag: t.literal('Current'), generation: t.number, commit: t.union([CommitId, t.null]) }),
  /** `headId` names the tree that could not be loaded; null where HEAD itself could not be read. */
  t.type({ _tag: t.literal('LookFailed'), reason: t.string, headId: t.union([t.string, t.null]) }),
])
export type LookOutcome = t.TypeOf<typeof LookOutcome>

/** Look now; answered by a look that began after the question came. */
const Refresh = t.type({ _tag: t.literal('Refresh'), replyTo: replyTo<LookOutcome>() })
/** To self: the time of the next look has come. */
const Tick = t.type({ _tag: t.literal('Tick') })
/** To self: the look that was under way has ended. */
const Looked = t.type({ _tag: t.literal('Looked'), outcome: LookOutcome })

/** To self: the time has come to look at the checkout itself. */
const Watch = t.type({ _tag: t.literal('Watch') })
/** To self: that look has ended, after so long. */
const Watched = t.type({ _tag: t.literal('Watched'), tookMs: t.number })

export const CorpusKeeperMessage = t.union([Refresh, Tick, Looked, Watch, Watched], 'CorpusKeeperMessage')
export type CorpusKeeperMessage = t.TypeOf<typeof CorpusKeeperMessage>
export type Refresh = t.TypeOf<typeof Refresh>
