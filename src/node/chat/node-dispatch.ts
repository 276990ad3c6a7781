import type { Config } from '#protocol/config.js'
import { gitEffectLog } from '#src/adapters/history/effect-log.js'
import { gitFleetBranch } from '#src/adapters/sync/remote/takeover-git.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { Enactor, FindEffect } from '#src/ports/chat.js'
import type { Checkout } from '../start/checkout.js'
import { fetchThrough } from '../sync/host-sync.js'
import type { Doors } from '../tree/doors.js'
import { makeFindEffect } from './find-effect.js'
import { queueClock } from './queue-clock.js'
import { openReplySeal, type ReplySeal } from './reply-seal.js'
import { openWakeBell, type WakeBell } from './wake-bell.js'

/** The parts of the dispatch queue that its row and its actors share. */
export interface NodeDispatch {
  /** The clock of the queue. */
  readonly nowMs: () => number
  readonly seal: ReplySeal
  /** Between the row, which wakes the queue, and the queue. */
  readonly bell: WakeBell
  /** Between the queue, which wakes the courier of answers, and the courier. */
  readonly answerBell: WakeBell
  /** Carries out closes and reports; null on a host that does not. */
  readonly enactor: Enactor | null
  /** Looks for the effect of a close or a report before each attempt. */
  readonly findEffect: FindEffect
}

/** Opens the parts of the dispatch queue; every enactor gets the look-up over the fetched branch. */
export const openDispatch = (
  { repo, state }: Pick<Checkout, 'repo' | 'state'>,
  config: Config,
  sync: Doors['sync'],
  enactor: Enactor | null,
): NodeDispatch => {
  const log = gitEffectLog(repo, gitFleetBranch(repo, config['server.sync_remote']))
  return {
    nowMs: queueClock(realClock),
    seal: openReplySeal(state),
    bell: openWakeBell(),
    answerBell: openWakeBell(),
    enactor,
    findEffect: makeFindEffect({ fetch: fetchThrough(sync), log }),
  }
}
