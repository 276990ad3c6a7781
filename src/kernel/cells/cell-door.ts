import type { Tagged } from '../actor/actor.js'
import { type Admission, type Ref, refOf, type Ticket } from '../actor/ref.js'
import { countDeadLetter, countRejection } from '../actor/tally.js'
import type { Cell } from './cell.js'
import { wake } from './cell-turn.js'

const admit = <S, M extends Tagged, E extends Tagged>(cell: Cell<S, M, E>): Admission => {
  const { behaviour, core, tally } = cell
  tally.sent += 1
  if (cell.phase === 'closed' || cell.phase === 'draining') {
    countDeadLetter(core, behaviour.name, tally, 'stopped')
    return 'gone'
  }
  if (core.rules.isFull(cell.inbox.size(), behaviour.mailboxMax)) {
    countRejection(core, behaviour.name, tally)
    return 'full'
  }
  return 'accepted'
}

const enter = <S, M extends Tagged, E extends Tagged>(
  cell: Cell<S, M, E>,
  body: M,
  ticket: Ticket | null,
): void => {
  cell.inbox.push({ body: Object.freeze(body), ticket, enqueuedMs: cell.core.clock.monotonicMs() })
  wake(cell)
}

/** Milliseconds until the next incarnation, 0 when there is one. */
export const restMs = <S, M extends Tagged, E extends Tagged>(cell: Cell<S, M, E>): number =>
  cell.phase === 'resting' || cell.phase === 'stuck'
    ? Math.max(0, cell.restsUntilMs - cell.core.clock.monotonicMs())
    : 0

const enquire = <S, M extends Tagged, E extends Tagged>(
  cell: Cell<S, M, E>,
  message: (ticket: Ticket) => M,
  ticket: Ticket,
  deadlineMs: number,
): void => {
  const actor = cell.behaviour.name
  const retryAfterMs = restMs(cell)
  if (retryAfterMs >= deadlineMs && cell.phase !== 'closed') {
    cell.tally.sent += 1
    countRejection(cell.core, actor, cell.tally)
    return ticket.fail({ _tag: 'Unavailable', actor, retryAfterMs })
  }
  const admission = admit(cell)
  if (admission !== 'accepted') return ticket.fail({ _tag: admission === 'full' ? 'Full' : 'Gone', actor })
  const cancel = cell.core.clock.after(deadlineMs, () => ticket.fail({ _tag: 'Timeout', actor }))
  ticket.onSettled(() => {
    cancel()
    cell.owed.delete(ticket)
  })
  enter(cell, message(ticket), ticket)
}

/** The door through which everybody reaches the actor, whichever incarnation lives. */
export const doorOf = <S, M extends Tagged, E extends Tagged>(cell: Cell<S, M, E>): Ref<M> =>
  refOf<M>(cell.behaviour.name, {
    deliver: message => {
      const admission = admit(cell)
      if (admission === 'accepted') enter(cell, message, null)
      return admission
    },
    enquire: (message, ticket, deadlineMs) => enquire(cell, message, ticket, deadlineMs),
  })
