import type { ActorReading } from '#protocol/host/kernel.js'
import type { Fifo } from '../actor/fifo.js'
import { quarantinedOf, settledOf } from '../actor/tally.js'
import { backoffLeftMs } from './admission.js'
import { phases } from './phases.js'
import type { ActorRuntime, Envelope } from './runtime.js'

const oldestAgeMs = (queue: Fifo<Envelope>, nowMs: number): number =>
  nowMs - (queue.peek()?.enqueuedMs ?? nowMs)

/** Whether every message that was sent and is not settled waits or is being processed (S33). Between two turns. */
export const isBalanced = ({ tally, inbox, own, live }: ActorRuntime): boolean => {
  const inHand = [...(live?.inHand ?? [])].filter(({ message }) => message !== null).length
  return tally.sent - settledOf(tally) === inbox.size() + own.size() + inHand
}

/** What metrics and the live view show of an actor now. */
export const readActor = (runtime: ActorRuntime): ActorReading => {
  const nowMs = runtime.core.clock.monotonicMs()
  return {
    actor: runtime.behaviour.name,
    state: phases[runtime.phase].shownAs,
    incarnation: runtime.incarnations,
    waiting: runtime.inbox.size() + runtime.own.size(),
    mailboxMax: runtime.behaviour.mailboxMax,
    oldestMs: Math.max(oldestAgeMs(runtime.own, nowMs), oldestAgeMs(runtime.inbox, nowMs)),
    backoffMs: backoffLeftMs(runtime),
    restarts: Math.max(0, runtime.incarnations - 1),
    quarantined: quarantinedOf(runtime.tally),
    deadLetters: runtime.tally.deadLetters,
  }
}
