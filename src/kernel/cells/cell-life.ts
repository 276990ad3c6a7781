import type { ActorReading, ActorState } from '#protocol/kernel/vocabulary.js'
import type { Tagged } from '../actor/actor.js'
import { type EffectHost, forgetTimers, openEffects } from '../actor/effects.js'
import type { Fifo } from '../actor/fifo.js'
import type { Orphans } from '../actor/record.js'
import { countDone, quarantinedOf } from '../actor/tally.js'
import type { Node, NodeReport } from '../core.js'
import type { Cell, Envelope, Incarnation } from './cell.js'
import { restMs } from './cell-door.js'
import { closeCell, fault, finishDrain, retire } from './cell-end.js'
import { acceptOwn, rest, turn, wake, workDone } from './cell-turn.js'

const startCell = <S, M extends Tagged, E extends Tagged>(
  cell: Cell<S, M, E>,
  readyMs: number,
  report: NodeReport,
): void => {
  const { behaviour, core } = cell
  retire(cell, 'Faulted')
  cell.incarnations += 1
  const label = `${behaviour.name}.${cell.incarnations}`
  const live: Incarnation<S, M, E> = {
    number: cell.incarnations,
    label,
    lane: core.engine.spawn(label, () => turn(cell, live)),
    effects: openEffects(
      behaviour.name,
      (effect: E, signal) => behaviour.perform()(effect, signal),
      core.clock,
      hostOf(cell, () => live),
    ),
    report,
    inHand: new Set(),
    cancelReadiness: core.clock.after(readyMs, () =>
      fault(cell, live, 'not_ready', new Error(`no ready within ${readyMs} ms`), null),
    ),
    state: null,
    isReady: false,
    isReceiving: false,
    beat: null,
  }
  cell.live = live
  cell.phase = 'running'
  core.meter.state(behaviour.name, 'running')
  core.meter.backoff(behaviour.name, 0)
  core.log({ event: 'started', actor: behaviour.name, incarnation: label })
  wake(cell)
}

const hostOf = <S, M extends Tagged, E extends Tagged>(
  cell: Cell<S, M, E>,
  live: () => Incarnation<S, M, E>,
): EffectHost<M> => ({
  own: message => acceptOwn(cell, message),
  workDone: work => workDone(cell, live(), work),
  effectDone: () => {
    const incarnation = live()
    if (incarnation.beat?.at === 'effects') incarnation.beat = null
    rest(cell)
  },
  fault: (error, work) => fault(cell, live(), work.message === null ? 'initial' : 'effect', error, work),
  ready: () => becomeReady(cell, live()),
  end: () => endCell(cell, live()),
  late: (effect, outcomes) => dropLate(cell, live(), effect, outcomes),
  isCurrent: () => cell.core.rules.isCurrent(live().number, cell.live?.number ?? null),
  log: record => cell.core.log(record),
})

const becomeReady = <S, M extends Tagged, E extends Tagged>(
  cell: Cell<S, M, E>,
  live: Incarnation<S, M, E>,
): void => {
  if (live.isReady) return
  live.isReady = true
  live.cancelReadiness()
  cell.core.log({ event: 'ready', actor: cell.behaviour.name })
  live.report.ready()
}

/** The normal end that the actor asked for. */
const endCell = <S, M extends Tagged, E extends Tagged>(
  cell: Cell<S, M, E>,
  live: Incarnation<S, M, E>,
): void => {
  if (cell.live !== live) return
  if (cell.phase === 'draining') return finishDrain(cell)
  retire(cell, 'Gone')
  cell.phase = 'resting'
  live.report.ended()
}

const dropLate = <S, M extends Tagged, E extends Tagged>(
  cell: Cell<S, M, E>,
  live: Incarnation<S, M, E>,
  effect: string,
  outcomes: ReadonlyArray<M>,
): void => {
  const actor = cell.behaviour.name
  cell.core.log({ event: 'late_result', actor, incarnation: live.label, effect })
  for (const message of outcomes) {
    cell.tally.sent += 1
    countDone(cell.core, actor, cell.tally, message._tag, 'stale_incarnation')
  }
}

const supersede = <S, M extends Tagged, E extends Tagged>(cell: Cell<S, M, E>, delayMs: number): void => {
  if (cell.phase === 'closed') return
  retire(cell, 'Faulted')
  if (cell.phase !== 'stuck') {
    cell.phase = 'resting'
    cell.core.meter.state(cell.behaviour.name, 'backoff')
  }
  cell.restsUntilMs = cell.core.clock.monotonicMs() + delayMs
  cell.core.meter.backoff(cell.behaviour.name, delayMs / 1000)
  if (!cell.core.rules.keepsMailbox) cell.inbox.takeAll()
}

const drainCell = <S, M extends Tagged, E extends Tagged>(
  cell: Cell<S, M, E>,
  limitMs: number,
): Promise<ReadonlyArray<Orphans>> => {
  const { behaviour, core, live } = cell
  if (cell.phase !== 'running' || live === null) return Promise.resolve(closeCell(cell))
  cell.phase = 'draining'
  return new Promise(resolve => {
    const cancel = core.clock.after(limitMs, () => finishDrain(cell))
    cell.finishDrain = orphans => {
      cancel()
      resolve(orphans)
    }
    if (behaviour.drain === undefined) forgetTimers(live.effects)
    else {
      cell.tally.sent += 1
      cell.inbox.push({ body: behaviour.drain, ticket: null, enqueuedMs: core.clock.monotonicMs() })
    }
    rest(cell)
  })
}

export const nodeOf = <S, M extends Tagged, E extends Tagged>(cell: Cell<S, M, E>): Node => ({
  name: cell.behaviour.name,
  start: (readyMs, report) => startCell(cell, readyMs, report),
  supersede: delayMs => supersede(cell, delayMs),
  close: () => {
    if (cell.finishDrain === null) return closeCell(cell)
    finishDrain(cell)
    return []
  },
  drain: limitMs => drainCell(cell, limitMs),
})

/**
 * One tick of the watchdog: sends a heartbeat through the mailbox, ahead of what waits there and behind the running
 * effect, or judges the one on its way. `slackMs` is by how much the tick itself came late: nobody could echo then.
 */
export const beatCell = <S, M extends Tagged, E extends Tagged>(
  cell: Cell<S, M, E>,
  slackMs: number,
): void => {
  const { live } = cell
  if (live === null || (cell.phase !== 'running' && cell.phase !== 'draining')) return
  const nowMs = cell.core.clock.monotonicMs()
  if (live.beat === null) {
    live.beat = { sentMs: nowMs, at: 'inbox' }
    return wake(cell)
  }
  const sentMs = live.beat.sentMs + slackMs
  live.beat = { sentMs, at: live.beat.at }
  if (nowMs - sentMs < (cell.behaviour.stuckMs ?? cell.core.stuckMs)) return
  const running = live.effects.running
  const error = new Error(
    `no echo in ${nowMs - sentMs} ms${running === null ? '' : `, effect ${running.tag}`}`,
  )
  fault(cell, live, 'stuck', error, running?.work ?? null)
}

const stateOf = { idle: 'stopped', running: 'running', resting: 'backoff', stuck: 'stuck' } as const

const shownState = <S, M extends Tagged, E extends Tagged>(cell: Cell<S, M, E>): ActorState => {
  if (cell.phase === 'draining') return 'running'
  return cell.phase === 'closed' ? 'stopped' : stateOf[cell.phase]
}

export const readingOf = <S, M extends Tagged, E extends Tagged>(cell: Cell<S, M, E>): ActorReading => {
  const nowMs = cell.core.clock.monotonicMs()
  const oldestOf = (queue: Fifo<Envelope>): number => nowMs - (queue.peek()?.enqueuedMs ?? nowMs)
  return {
    actor: cell.behaviour.name,
    state: shownState(cell),
    incarnation: cell.incarnations,
    waiting: cell.inbox.size() + cell.own.size(),
    mailboxMax: cell.behaviour.mailboxMax,
    oldestMs: Math.max(oldestOf(cell.own), oldestOf(cell.inbox)),
    backoffMs: restMs(cell),
    restarts: Math.max(0, cell.incarnations - 1),
    quarantined: quarantinedOf(cell.tally),
    deadLetters: cell.tally.deadLetters,
  }
}
