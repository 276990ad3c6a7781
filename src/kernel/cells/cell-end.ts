import type { RestartCause } from '#protocol/kernel/vocabulary.js'
import type { Tagged } from '../actor/actor.js'
import { halt, type Work } from '../actor/effects.js'
import type { Orphans } from '../actor/record.js'
import { countDeadLetter, countDone } from '../actor/tally.js'
import type { Cell, Incarnation } from './cell.js'

const tagOf = (body: unknown): string =>
  typeof body === 'object' && body !== null && '_tag' in body && typeof body._tag === 'string'
    ? body._tag
    : 'unknown'

/**
 * Ends the living incarnation, if there is one: its signal fires, its timers go, what it owes fails, what it had in
 * hand is `stale_incarnation`. The mailbox stays. Answers the tags of effects not carried out.
 */
export const retire = <S, M extends Tagged, E extends Tagged>(
  cell: Cell<S, M, E>,
  owed: 'Faulted' | 'Gone',
): ReadonlyArray<string> => {
  const { core, live, tally } = cell
  const actor = cell.behaviour.name
  if (live === null) return []
  cell.live = null
  live.cancelReadiness()
  live.lane.stop()
  const left = halt(live.effects)
  for (const work of live.inHand)
    if (work.message !== null) countDone(core, actor, tally, work.message, 'stale_incarnation')
  live.inHand.clear()
  for (const envelope of cell.own.takeAll())
    countDone(core, actor, tally, tagOf(envelope.body), 'stale_incarnation')
  if (core.rules.failsOwed) for (const ticket of [...cell.owed]) ticket.fail({ _tag: owed, actor })
  cell.owed.clear()
  return left
}

/** Sets the message aside that faulted the actor (D8). */
const quarantine = <S, M extends Tagged, E extends Tagged>(
  cell: Cell<S, M, E>,
  live: Incarnation<S, M, E>,
  cause: RestartCause,
  work: Work,
): void => {
  live.inHand.delete(work)
  if (work.message === null) return
  if (cell.core.rules.poison === 'redeliver') {
    cell.inbox.unshift({ body: work.body, ticket: null, enqueuedMs: work.startedMs })
    return
  }
  const result = cause === 'stuck' ? 'timeout' : 'error'
  countDone(cell.core, cell.behaviour.name, cell.tally, work.message, result)
}

/** A throw anywhere, or a verdict of the watchdog: this incarnation ends and its supervisor decides. */
export const fault = <S, M extends Tagged, E extends Tagged>(
  cell: Cell<S, M, E>,
  live: Incarnation<S, M, E>,
  cause: RestartCause,
  error: unknown,
  work: Work | null,
): void => {
  if (cell.live !== live) return
  const actor = cell.behaviour.name
  cell.core.log({ event: 'fault', actor, incarnation: live.label, cause, error })
  if (work !== null) quarantine(cell, live, cause, work)
  retire(cell, 'Faulted')
  if (cell.phase === 'draining') return finishDrain(cell)
  cell.phase = cause === 'stuck' ? 'stuck' : 'resting'
  cell.core.meter.state(actor, cause === 'stuck' ? 'stuck' : 'backoff')
  live.report.faulted(cause, error)
}

/** Ends the cell for good: what waits becomes dead letters, who asked is told. */
export const closeCell = <S, M extends Tagged, E extends Tagged>(
  cell: Cell<S, M, E>,
): ReadonlyArray<Orphans> => {
  const { core, tally } = cell
  const actor = cell.behaviour.name
  if (cell.phase === 'closed') return []
  const effects = retire(cell, 'Gone')
  cell.phase = 'closed'
  const left = cell.inbox.takeAll()
  for (const envelope of left) {
    countDeadLetter(core, actor, tally, 'stopped')
    envelope.ticket?.fail({ _tag: 'Gone', actor })
  }
  core.meter.state(actor, 'stopped')
  core.meter.backoff(actor, 0)
  core.log({ event: 'stopped', actor })
  if (left.length === 0 && effects.length === 0) return []
  const orphans: Orphans = { actor, waiting: left.length, effects }
  core.log({ event: 'orphaned', orphans })
  return [orphans]
}

export const finishDrain = <S, M extends Tagged, E extends Tagged>(cell: Cell<S, M, E>): void => {
  const finish = cell.finishDrain
  cell.finishDrain = null
  const orphans = closeCell(cell)
  finish?.(orphans)
}
