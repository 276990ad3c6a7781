import { type AskTicket, type DeliveryOutcome, type Ref, refOf } from '../actor/ref.js'
import { countDeadLetter, countRejection } from '../actor/tally.js'
import { phases } from './phases.js'
import type { ActorRuntime } from './runtime.js'
import { wakeActor } from './turn.js'

/**
 * Milliseconds until the next incarnation may start. 0 when the actor does not wait for a restart, or the
 * backoff is over.
 */
export const backoffLeftMs = (runtime: ActorRuntime): number =>
  phases[runtime.phase].awaitsRestart
    ? Math.max(0, runtime.restsUntilMs - runtime.core.clock.monotonicMs())
    : 0

/**
 * The ref of an actor. It stays valid across restarts: a message reaches the living incarnation or waits for
 * the next. A tell returns `accepted`, `full` or `gone`. An ask fails with `Full`, `Gone`, `Unavailable` when
 * the backoff lasts until the deadline or longer, or `Timeout`. Freezes each message (shallowly) and counts
 * what it refuses.
 */
export const actorRefOf = (runtime: ActorRuntime): Ref<unknown> =>
  refOf<unknown>(runtime.behaviour.name, {
    deliver: message => acceptTell(runtime, message),
    enquire: (message, ticket, deadlineMs) => acceptAsk(runtime, message, ticket, deadlineMs),
  })

/** Decides whether the mailbox accepts one more message, and counts the message that it refuses. */
const admit = (runtime: ActorRuntime): DeliveryOutcome => {
  const { behaviour, core, tally } = runtime
  tally.sent += 1
  if (!phases[runtime.phase].takesMail) {
    countDeadLetter(core, behaviour.name, tally, 'stopped')
    return 'gone'
  }
  if (core.rules.isFull(runtime.inbox.size(), behaviour.mailboxMax)) {
    countRejection(core, behaviour.name, tally)
    return 'full'
  }
  return 'accepted'
}

const enqueue = (runtime: ActorRuntime, body: unknown, ticket: AskTicket | null): void => {
  runtime.inbox.push({ body: Object.freeze(body), ticket, enqueuedMs: runtime.core.clock.monotonicMs() })
  wakeActor(runtime)
}

const acceptTell = (runtime: ActorRuntime, message: unknown): DeliveryOutcome => {
  const admission = admit(runtime)
  if (admission === 'accepted') enqueue(runtime, message, null)
  return admission
}

const acceptAsk = (
  runtime: ActorRuntime,
  message: (ticket: AskTicket) => unknown,
  ticket: AskTicket,
  deadlineMs: number,
): void => {
  const actor = runtime.behaviour.name
  const retryAfterMs = backoffLeftMs(runtime)
  if (retryAfterMs >= deadlineMs && runtime.phase !== 'closed') {
    runtime.tally.sent += 1
    countRejection(runtime.core, actor, runtime.tally)
    return ticket.fail({ _tag: 'Unavailable', actor, retryAfterMs })
  }
  const admission = admit(runtime)
  if (admission !== 'accepted') return ticket.fail({ _tag: admission === 'full' ? 'Full' : 'Gone', actor })
  const cancel = runtime.core.clock.after(deadlineMs, () => ticket.fail({ _tag: 'Timeout', actor }))
  ticket.onSettled(() => {
    cancel()
    runtime.owed.delete(ticket)
  })
  enqueue(runtime, message(ticket), ticket)
}
