import { type Either, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'

/** Whether a mailbox accepted a message. It does not keep a `full` or `gone` message. */
export type DeliveryOutcome = 'accepted' | 'full' | 'gone'

/** Why an `ask` has no answer. Every failure but `Timeout` comes before the deadline. */
export type AskFailure =
  | { readonly _tag: 'Gone'; readonly actor: string }
  | { readonly _tag: 'Full'; readonly actor: string }
  | { readonly _tag: 'Faulted'; readonly actor: string }
  | { readonly _tag: 'Undecodable'; readonly actor: string }
  | { readonly _tag: 'Unavailable'; readonly actor: string; readonly retryAfterMs: number }
  | { readonly _tag: 'Timeout'; readonly actor: string }

/**
 * The kernel's side of one ask: `fail` settles it from outside, `isOpen` says whether the asker still waits.
 */
export interface AskTicket {
  readonly id: string
  readonly isOpen: () => boolean
  readonly fail: (failure: AskFailure) => void
  /** Returns true when this answer settled the ask. */
  readonly settle: () => boolean
  readonly onSettled: (run: () => void) => void
}

/** Where an answer goes: to the one asker. A second answer, or one after the deadline, is dropped. */
export interface ReplyTo<in A> {
  readonly askId: string
  readonly [answering]: (answer: A) => boolean
  readonly [awaiting]: () => boolean
}

/**
 * A reference to an actor, whichever incarnation lives. Contravariant: give each holder a `Ref` of only what
 * it may send.
 */
export interface Ref<in M> {
  readonly name: string
  readonly [inlet]: Inlet<M>
}

export interface Inlet<in M> {
  readonly deliver: (message: M) => DeliveryOutcome
  readonly enquire: (message: (ticket: AskTicket) => M, ticket: AskTicket, deadlineMs: number) => void
}

export const refOf = <M>(name: string, door: Inlet<M>): Ref<M> => ({ name, [inlet]: door })

/**
 * Sends without waiting; never throws. Freezes the top level of the message, so that the sender cannot change
 * it.
 */
export const tell = <M>(ref: Ref<M>, message: NoInfer<M>): DeliveryOutcome => ref[inlet].deliver(message)

/**
 * Sends a message that carries `replyTo` and waits for its answer, at most `deadlineMs`. Never rejects. Fails
 * at once when the actor is gone, full, cannot decode it, faults before it answers, or is in a backoff that
 * outlasts the deadline. `message` is best a named function whose result is declared: `(replyTo:
 * ReplyTo<Lease>): Message => …`. `isStillThere` says whether the asker still wants the answer; the ask itself
 * goes on without it.
 */
export const ask = <M, A>(
  ref: Ref<M>,
  message: (replyTo: ReplyTo<A>) => NoInfer<M>,
  deadlineMs: number,
  isStillThere: () => boolean = always,
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
      [awaiting]: () => ticket.isOpen() && isStillThere(),
    }
    ref[inlet].enquire(() => message(replyTo), ticket, deadlineMs)
  })

/**
 * Makes a `replyTo` outside `ask`: for unit tests of `receive`, and for callers that correlate answers
 * themselves.
 */
export const replyToOf = <A>(
  askId: string,
  accept: (answer: A) => boolean,
  isStillThere: () => boolean = always,
): ReplyTo<A> => ({
  askId,
  [answering]: accept,
  [awaiting]: isStillThere,
})

/** Answers an ask. Returns false when it has ended already, by an answer, a failure or its deadline. */
export const answerAsk = <A>(to: ReplyTo<A>, value: A): boolean => to[answering](value)

/**
 * Whether the asker still waits: false after an answer, a failure or the deadline, and when the asker has left.
 * The result changes with time, so an effect may ask, and `receive` may not.
 */
export const isAwaited = (to: ReplyTo<never>): boolean => to[awaiting]()

/** Nominal codec of a `replyTo` field: accepts only a value of `ask` or `replyToOf`. */
export const replyTo = <A>(): t.Type<ReplyTo<A>> =>
  new t.Type<ReplyTo<A>>(
    'ReplyTo',
    (u): u is ReplyTo<A> => isReplyTo<A>(u),
    (u, context) => (isReplyTo<A>(u) ? t.success(u) : t.failure(u, context)),
    t.identity,
  )

const answering = Symbol('answering')
const awaiting = Symbol('awaiting')
const inlet = Symbol('inlet')

const always = (): boolean => true

let askCount = 0

const ticketOf = (fail: (failure: AskFailure) => void): AskTicket => {
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

const isReplyTo = <A>(u: unknown): u is ReplyTo<A> => typeof u === 'object' && u !== null && answering in u
