import { type Fifo, makeFifo } from '../actor/fifo.js'
import type { Orphans } from '../actor/record.js'
import type { AskTicket } from '../actor/ref.js'
import { emptyTally, type Tally } from '../actor/tally.js'
import type { Core } from '../core.js'
import type { Lane } from '../nact.js'
import type { ChildReport } from '../supervision/child.js'
import type { Cancel } from '../time/clock.js'
import type { Behaviour } from './behaviour.js'
import type { EffectQueue, EffectWork } from './effect-queue.js'
import type { Phase } from './phases.js'

/** A message in a mailbox; `ticket` is set when an asker waits for its answer. */
export interface Envelope {
  readonly body: unknown
  readonly ticket: AskTicket | null
  readonly enqueuedMs: number
}

/** One incarnation of an actor, from a start to its end. */
export interface Incarnation {
  readonly number: number
  /** `name.n` */
  readonly label: string
  readonly lane: Lane
  readonly effects: EffectQueue
  readonly report: ChildReport
  /** Messages received whose effects are not all complete. */
  readonly inHand: Set<EffectWork>
  readonly cancelReadiness: Cancel
  /** Undefined until the first turn; no step returns undefined. */
  state: unknown
  isReady: boolean
  isReceiving: boolean
  /** The heartbeat that has not come back, and where it waits. */
  beat: { readonly sentMs: number; readonly at: 'inbox' | 'effects' } | null
}

/**
 * The kernel's side of one actor: its phase, mailbox and tally, which outlive its incarnations. Messages from
 * others wait in `inbox`, messages to itself in `own`, which has priority.
 */
export interface ActorRuntime {
  readonly core: Core
  readonly behaviour: Behaviour
  readonly tally: Tally
  readonly inbox: Fifo<Envelope>
  readonly own: Fifo<Envelope>
  /** Asks delivered to the living incarnation and not yet answered. */
  readonly owed: Set<AskTicket>
  /** Only `nextPhase` changes it. */
  phase: Phase
  /** The living incarnation. Not null exactly while the phase is `running` or `draining`. */
  live: Incarnation | null
  /** How many incarnations have started. */
  incarnations: number
  restsUntilMs: number
  /** Resolves the drain in progress. */
  finishDrain: ((orphans: ReadonlyArray<Orphans>) => void) | null
}

/** Creates the runtime of an actor that is placed and not started. */
export const makeRuntime = (core: Core, behaviour: Behaviour): ActorRuntime => {
  core.meter.mailboxLimit(behaviour.name, behaviour.mailboxMax)
  core.meter.state(behaviour.name, 'stopped')
  return {
    core,
    behaviour,
    tally: emptyTally(),
    inbox: makeFifo(),
    own: makeFifo(),
    owed: new Set(),
    phase: 'idle',
    live: null,
    incarnations: 0,
    restsUntilMs: 0,
    finishDrain: null,
  }
}
