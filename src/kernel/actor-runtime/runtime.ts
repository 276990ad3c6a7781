import { type Fifo, fifo } from '../actor/fifo.js'
import type { Orphans } from '../actor/record.js'
import type { Ticket } from '../actor/ref.js'
import { emptyTally, type Tally } from '../actor/tally.js'
import type { ChildReport } from '../child.js'
import type { Core } from '../core.js'
import type { Lane } from '../nact.js'
import type { Cancel } from '../time/clock.js'
import type { Behaviour } from './behaviour.js'
import type { EffectQueue, Work } from './effect-queue.js'
import type { Phase } from './phases.js'

/** A message on its way: `ticket` when an asker waits for its answer. */
export interface Envelope {
  readonly body: unknown
  readonly ticket: Ticket | null
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
  /** Messages received whose effects are not all carried out. */
  readonly inHand: Set<Work>
  readonly cancelReadiness: Cancel
  /** Undefined until its first turn; no step returns that. */
  state: unknown
  isReady: boolean
  isReceiving: boolean
  /** The heartbeat on its way, and where it waits. */
  beat: { readonly sentMs: number; readonly at: 'inbox' | 'effects' } | null
}

/**
 * The kernel's side of one actor: its phase, its mailbox and its books, which outlive its incarnations. Messages from
 * others wait in `inbox`, messages to self in `own`, which goes first.
 */
export interface ActorRuntime {
  readonly core: Core
  readonly behaviour: Behaviour
  readonly tally: Tally
  readonly inbox: Fifo<Envelope>
  readonly own: Fifo<Envelope>
  /** Asks delivered to the living incarnation and not yet answered. */
  readonly owed: Set<Ticket>
  /** Moves by `nextPhase` alone. */
  phase: Phase
  /** The incarnation that lives; there is one exactly while the phase is `running` or `draining`. */
  live: Incarnation | null
  /** Incarnations so far. */
  incarnations: number
  restsUntilMs: number
  /** Settles the drain under way. */
  finishDrain: ((orphans: ReadonlyArray<Orphans>) => void) | null
}

/** The runtime of an actor that was placed and not started. */
export const openRuntime = (core: Core, behaviour: Behaviour): ActorRuntime => {
  core.meter.mailboxLimit(behaviour.name, behaviour.mailboxMax)
  core.meter.state(behaviour.name, 'stopped')
  return {
    core,
    behaviour,
    tally: emptyTally(),
    inbox: fifo(),
    own: fifo(),
    owed: new Set(),
    phase: 'idle',
    live: null,
    incarnations: 0,
    restsUntilMs: 0,
    finishDrain: null,
  }
}
