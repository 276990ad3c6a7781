import { realClock } from '#src/kernel/time/clock.js'
import type { Enactor } from '#src/ports/enactor.js'
import type { Checkout } from '../start/checkout.js'
import { queueClock } from './queue-clock.js'
import { openReplySeal, type ReplySeal } from './reply-seal.js'

/** The parts of the dispatch queue that its row and its actors share. */
export interface NodeDispatch {
  /** The clock of the queue. */
  readonly nowMs: () => number
  readonly seal: ReplySeal
  /** Carries out closes and reports; null on a host that does not. */
  readonly enactor: Enactor | null
}

/** Opens the parts of the dispatch queue. This build has no enactor. */
export const openDispatch = (
  { state }: Pick<Checkout, 'state'>,
  enactor: Enactor | null = null,
): NodeDispatch => ({ nowMs: queueClock(realClock), seal: openReplySeal(state), enactor })
