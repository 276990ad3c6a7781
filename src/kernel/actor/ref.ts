import { type Either, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'

/** What the door of a mailbox says. `full` and `gone` messages are not kept. */
export type Admission = 'accepted' | 'full' | 'gone'

/** Why an `ask` has no answer. All but `Timeout` come at once, never after the deadline. */
export type AskFailure =
  | { readonly _tag: 'Gone'; readonly actor: string }
  | { readonly _tag: 'Full'; readonly actor: string }
  | { readonly _tag: 'Faulted'; readonly actor: string }
  | { readonly _tag: 'Undecodable'; readonly actor: string }
  | { readonly _tag: 'Unavailable'; readonly actor: string; readonly retryAfterMs: number }
  | { readonly _tag: 'Timeout'; readonly actor: string }

/** The kernel's side of one ask: `failed` settles it from outside, `isOpen` tells whether anybody still waits. */
export interface Ticket {
  readonly id: string
  readonly isOpen: () => boolean
  readonly fail: (failure: AskFailure) => void
  /** True when this answer was the one that settled the ask. */
  readonly settle: () => boolean
  readonly onSettled: (run: () => void) => void
}

const answering = Symbol('answering')
const inlet = Symbol('inlet')

/** Where an answer goes: to the one asker who made it. A second answer, or one after the deadline, goes nowhere. */
export interface ReplyTo<in A> {
  readonly askId: string
  readonly [answering]: (answer: A) => boolean
}

/** The door of an actor, of any incarnation. Contravariant: hand a `Ref` of only what its holder may send. */
export interface Ref<in M> {
  readonly name: string
  readonly [inlet]: Inlet<M>
}

export interface Inlet<in M> {
  readonly deliver: (message: M) => Admission
  readonly enquire: (message: (ticket: Ticket) => M, ticket: Ticket, deadlineMs: number) => void
}

export const refOf = <M>(name: string, door: Inlet<M>): Ref<M> => ({ name, [inlet]: door })

/** Sends, never throws, never waits. The message is frozen at its top level: what was sent does not change. */
export const tell = <M>(ref: Ref<M>, message: NoInfer<M>): Admission => ref[inlet].deliver(message)

let askCount = 0

const ticketOf = (fail: (failure: AskFailure) => void): Ticket => {
  let open = true
  let settled: (() => void) | null = null
  askCount += 1
  const settle = (): boolean => {
    if (!open) return false
    open = false
    settled?.()
    return true
  }
  return {
    id: `ask-${askCount}`,
    isOpen: () => open,
    settle,
    fail: failure => {
      if (settle()) fail(failure)
    },
    onSettled: run => {
      settled = run
    },
  }
}

/**
 * Sends a message that carries `replyTo` and waits for its answer, at most `deadlineMs`. Never rejects. Fails at once
 * when the actor is gone, full, cannot decode it, faults while the answer is owed, or is in a backoff that outlasts
 * the deadline. `message` is best a named function whose result is declared: `(replyTo: ReplyTo<Lease>): Message => …`.
 */
export const ask = <M, A>(
  ref: Ref<M>,
  message: (replyTo: ReplyTo<A>) => NoInfer<M>,
  deadlineMs: number,
): Promise<Either<AskFailure, A>> =>
  new Promise(resolve => {
    const ticket = ticketOf(failure => resolve(left(failure)))
    const replyTo: ReplyTo<A> = {
      askId: ticket.id,
      [answering]: answer => {
        if (!ticket.settle()) return false
        resolve(right(answer))
        return true
      },
    }
    ref[inlet].enquire(() => message(replyTo), ticket, deadlineMs)
  })

/** A `replyTo` of one's own: for unit tests of `receive`, and for a front that correlates by other means. */
export const replyToOf = <A>(askId: string, accept: (answer: A) => boolean): ReplyTo<A> => ({
  askId,
  [answering]: accept,
})

export const answer = <A>(to: ReplyTo<A>, value: A): boolean => to[answering](value)

const isReplyTo = <A>(u: unknown): u is ReplyTo<A> => typeof u === 'object' && u !== null && answering in u

/** Nominal codec of a `replyTo` field: only what `ask` made passes. */
export const replyTo = <A>(): t.Type<ReplyTo<A>> =>
  new t.Type<ReplyTo<A>>(
    'ReplyTo',
    (u): u is ReplyTo<A> => isReplyTo<A>(u),
    (u, context) => (isReplyTo<A>(u) ? t.success(u) : t.failure(u, context)),
    t.identity,
  )

const isRef = <M>(u: unknown): u is Ref<M> => typeof u === 'object' && u !== null && inlet in u

/** Nominal codec of a field that holds a `Ref`. */
export const refField = <M>(): t.Type<Ref<M>> =>
  new t.Type<Ref<M>>(
    'Ref',
    (u): u is Ref<M> => isRef<M>(u),
    (u, context) => (isRef<M>(u) ? t.success(u) : t.failure(u, context)),
    t.identity,
  )
