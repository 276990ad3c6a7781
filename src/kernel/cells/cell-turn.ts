import { isLeft } from 'fp-ts/lib/Either.js'
import type { Step, Tagged } from '../actor/actor.js'
import { backlog, pushEffects, type Work } from '../actor/effects.js'
import { countDeadLetter, countDone } from '../actor/tally.js'
import {
  type Cell,
  checkedStep,
  type Envelope,
  effectBacklogMax,
  type Incarnation,
  momentOf,
} from './cell.js'
import { fault, finishDrain } from './cell-end.js'

/** Turns longer than this hold up everybody on the loop. */
export const longTurnMs = 250

const takesMail = <S, M extends Tagged, E extends Tagged>(live: Incarnation<S, M, E>): boolean =>
  backlog(live.effects) < effectBacklogMax

const isRunnable = <S, M extends Tagged, E extends Tagged>(
  cell: Cell<S, M, E>,
  live: Incarnation<S, M, E>,
): boolean =>
  live.state === null ||
  live.beat?.at === 'inbox' ||
  cell.own.size() > 0 ||
  (cell.inbox.size() > 0 && takesMail(live))

/** Asks for a turn if there is something to do. */
export const wake = <S, M extends Tagged, E extends Tagged>(cell: Cell<S, M, E>): void => {
  if (cell.live !== null && isRunnable(cell, cell.live)) cell.live.lane.wake()
}

/** One turn of nact: the first step of an incarnation, or one message. */
export const turn = <S, M extends Tagged, E extends Tagged>(
  cell: Cell<S, M, E>,
  live: Incarnation<S, M, E>,
): void => {
  if (cell.live !== live) return
  const startedMs = cell.core.clock.monotonicMs()
  if (live.state === null) begin(cell, live, startedMs)
  else {
    if (live.beat?.at === 'inbox') echo(live, live.beat.sentMs)
    const envelope = cell.own.shift() ?? (takesMail(live) ? cell.inbox.shift() : undefined)
    if (envelope !== undefined) handle(cell, live, live.state.value, envelope, startedMs)
  }
  if (cell.core.clock.monotonicMs() - startedMs > longTurnMs) cell.core.meter.longTurn(cell.behaviour.name)
  if (cell.live === live) rest(cell)
}

/** What is left to do after a turn or an effect. */
export const rest = <S, M extends Tagged, E extends Tagged>(cell: Cell<S, M, E>): void => {
  wake(cell)
  const { live } = cell
  if (cell.phase !== 'draining' || cell.behaviour.drain !== undefined || live === null) return
  if (!isRunnable(cell, live) && backlog(live.effects) === 0) finishDrain(cell)
}

/** The heartbeat passed the mailbox: it comes back now, or when the running effect ends. */
const echo = <S, M extends Tagged, E extends Tagged>(live: Incarnation<S, M, E>, sentMs: number): void => {
  live.beat = live.effects.running === null ? null : { sentMs, at: 'effects' }
}

const begin = <S, M extends Tagged, E extends Tagged>(
  cell: Cell<S, M, E>,
  live: Incarnation<S, M, E>,
  startedMs: number,
): void => {
  const work: Work = { message: null, body: null, startedMs, effectsLeft: 0 }
  take(cell, live, work, 'initial', () => cell.behaviour.initial(momentOf(cell.core, live.label)))
}

const handle = <S, M extends Tagged, E extends Tagged>(
  cell: Cell<S, M, E>,
  live: Incarnation<S, M, E>,
  state: S,
  envelope: Envelope,
  startedMs: number,
): void => {
  const { behaviour, core, tally } = cell
  const { ticket } = envelope
  core.meter.waited(behaviour.name, (startedMs - envelope.enqueuedMs) / 1000)
  if (ticket !== null && !ticket.isOpen()) return countDeadLetter(core, behaviour.name, tally, 'deadline')
  const message = decoded(cell, envelope.body)
  if (message === null) {
    countDeadLetter(core, behaviour.name, tally, 'undecodable')
    ticket?.fail({ _tag: 'Undecodable', actor: behaviour.name })
    return
  }
  if (ticket !== null) cell.owed.add(ticket)
  const work: Work = { message: message._tag, body: envelope.body, startedMs, effectsLeft: 0 }
  take(cell, live, work, 'receive', () => behaviour.receive(state, message, momentOf(core, live.label)))
}

/** A codec that throws has not decoded either. */
const decoded = <S, M extends Tagged, E extends Tagged>(cell: Cell<S, M, E>, body: unknown): M | null => {
  try {
    const result = cell.behaviour.codec.decode(body)
    return isLeft(result) ? null : result.right
  } catch {
    return null
  }
}

/** Takes one step and hands its effects over. A second step within it would break S32 and is a fault. */
const take = <S, M extends Tagged, E extends Tagged>(
  cell: Cell<S, M, E>,
  live: Incarnation<S, M, E>,
  work: Work,
  cause: 'initial' | 'receive',
  run: () => Step<S, E, M>,
): void => {
  let step: Step<S, E, M>
  try {
    if (live.isReceiving) throw new Error('two messages at once in one actor')
    live.isReceiving = true
    step = checkedStep(run())
  } catch (error) {
    return fault(cell, live, cause, error, work)
  }
  live.isReceiving = false
  live.state = { value: step[0] }
  live.inHand.add(work)
  work.effectsLeft = step[1].length
  if (step[1].length === 0) workDone(cell, live, work)
  else pushEffects(live.effects, step[1], work)
}

export const workDone = <S, M extends Tagged, E extends Tagged>(
  cell: Cell<S, M, E>,
  live: Incarnation<S, M, E>,
  work: Work,
): void => {
  if (!live.inHand.delete(work) || work.message === null) return
  const { core, tally } = cell
  const actor = cell.behaviour.name
  core.meter.processed(actor, work.message, (core.clock.monotonicMs() - work.startedMs) / 1000)
  countDone(core, actor, tally, work.message, 'ok')
}

/** A message to self. */
export const acceptOwn = <S, M extends Tagged, E extends Tagged>(cell: Cell<S, M, E>, message: M): void => {
  cell.tally.sent += 1
  if (cell.phase === 'closed') return countDeadLetter(cell.core, cell.behaviour.name, cell.tally, 'stopped')
  cell.own.push({ body: Object.freeze(message), ticket: null, enqueuedMs: cell.core.clock.monotonicMs() })
  wake(cell)
}
