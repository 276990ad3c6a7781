import type { Actor, Moment, Perform, Step, Tagged } from '../actor/actor.js'
import type { EffectLane, Work } from '../actor/effects.js'
import { type Fifo, fifo } from '../actor/fifo.js'
import type { Orphans } from '../actor/record.js'
import type { Ticket } from '../actor/ref.js'
import { emptyTally, type Tally } from '../actor/tally.js'
import type { Core, NodeReport } from '../core.js'
import type { Lane } from '../nact.js'
import type { Cancel } from '../time/clock.js'

/** A message on its way: `ticket` when somebody waits for an answer. */
export interface Envelope {
  readonly body: unknown
  readonly ticket: Ticket | null
  readonly enqueuedMs: number
}

/** Where a cell is in its life. `resting` and `stuck` wait for the next incarnation; `closed` refuses everything. */
export type Phase = 'idle' | 'running' | 'resting' | 'stuck' | 'draining' | 'closed'

/** One incarnation. `state` is null until its first turn. */
export interface Incarnation<S, M, E> {
  readonly number: number
  readonly label: string
  readonly lane: Lane
  readonly effects: EffectLane<E, M>
  readonly report: NodeReport
  readonly inHand: Set<Work>
  cancelReadiness: Cancel
  state: { readonly value: S } | null
  isReady: boolean
  isReceiving: boolean
  beat: { readonly sentMs: number; readonly at: 'inbox' | 'effects' } | null
}

/** An actor whose ports are bound. */
export interface Behaviour<S, M extends Tagged, E extends Tagged>
  extends Pick<
    Actor<S, M, E, never>,
    'name' | 'codec' | 'mailboxMax' | 'initial' | 'receive' | 'drain' | 'stuckMs'
  > {
  readonly perform: () => Perform<E, M>
}

/**
 * The kernel's side of an actor: its mailbox and books outlive its incarnations. Messages from others wait in
 * `inbox`, outcomes of its own effects in `own`, which goes first.
 */
export interface Cell<S, M extends Tagged, E extends Tagged> {
  readonly core: Core
  readonly behaviour: Behaviour<S, M, E>
  readonly tally: Tally
  readonly inbox: Fifo<Envelope>
  readonly own: Fifo<Envelope>
  /** Asks delivered to the living incarnation and not yet answered. */
  readonly owed: Set<Ticket>
  live: Incarnation<S, M, E> | null
  phase: Phase
  incarnations: number
  restsUntilMs: number
  /** Set while draining. */
  finishDrain: ((orphans: ReadonlyArray<Orphans>) => void) | null
}

/** Past this many effects not carried out, messages from others wait in the (bounded) mailbox. */
export const effectBacklogMax = 64

export const openCell = <S, M extends Tagged, E extends Tagged>(
  core: Core,
  behaviour: Behaviour<S, M, E>,
): Cell<S, M, E> => {
  core.meter.mailboxLimit(behaviour.name, behaviour.mailboxMax)
  core.meter.state(behaviour.name, 'stopped')
  return {
    core,
    behaviour,
    tally: emptyTally(),
    inbox: fifo(),
    own: fifo(),
    owed: new Set(),
    live: null,
    phase: 'idle',
    incarnations: 0,
    restsUntilMs: 0,
    finishDrain: null,
  }
}

export const momentOf = (core: Core, incarnation: string): Moment => ({
  nowMs: core.clock.nowMs(),
  monotonicMs: core.clock.monotonicMs(),
  id: core.entropy.id(),
  chance: core.entropy.chance(),
  incarnation,
})

/** A step that lacks its state or its list of effects is a fault, not a state of `undefined`. */
export const checkedStep = <S, E, M>(step: Step<S, E, M>): Step<S, E, M> => {
  const isPair: boolean = Array.isArray(step)
  if (!isPair || step[0] === undefined || !Array.isArray(step[1]))
    throw new TypeError('a step is a pair of state and effects')
  return step
}
