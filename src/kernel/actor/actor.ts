import type * as t from 'io-ts'
import { answerAsk, type DeliveryOutcome, type Ref, type ReplyTo } from './ref.js'

/** What every message and effect has: its tag within a closed union. */
export interface Tagged {
  readonly _tag: string
}

/**
 * What `receive` may know of the outside world. New for each message; `id` and `chance` are each drawn once,
 * when first read.
 */
export interface Moment {
  readonly nowMs: number
  readonly monotonicMs: number
  /** Globally unique. A turn that needs several ids derives them from it. */
  readonly id: string
  /** In [0, 1). */
  readonly chance: number
  /** `name.n`. An effect may write it, so that a store can refuse a superseded writer. */
  readonly incarnation: string
}

/** Effects that the kernel carries out itself, in order with the actor's own. */
export type KernelEffect<M> =
  | { readonly kernel: 'reply'; readonly to: ReplyTo<never>; readonly answer: unknown }
  | { readonly kernel: 'tell'; readonly to: Ref<never>; readonly message: unknown }
  | { readonly kernel: 'after'; readonly key: string; readonly delayMs: number; readonly message: M }
  | { readonly kernel: 'cancel'; readonly key: string }
  | { readonly kernel: 'ready' }
  | { readonly kernel: 'end' }

/** An effect of the actor that the kernel starts in its turn and does not wait for (`beside`). */
export interface Beside<E> {
  readonly kernel: 'beside'
  readonly effect: E
}

export type Step<S, E = never, M = never> = readonly [
  state: S,
  effects: ReadonlyArray<E | Beside<E> | KernelEffect<M>>,
]

/**
 * Carries out one effect; the signal aborts when its incarnation is superseded. `tell` sends the actor a message at any
 * time while its incarnation lives: an outcome that does not end the effect, or that comes after its end.
 */
export type Perform<E, M> = (
  effect: E,
  signal: AbortSignal,
  tell: (message: M) => void,
) => Promise<ReadonlyArray<M>>

/**
 * An actor is data. `receive` is synchronous, total and pure; `perform` carries out one effect and turns
 * every outcome into messages to the actor itself. Effects run in order, one at a time, beside the mailbox:
 * the actor receives further messages while an effect runs. Only what is `beside` runs at the same time as others. A
 * throw anywhere is a fault, which goes to the supervisor.
 */
export interface Actor<S, M extends Tagged, E extends Tagged, P> {
  /** Unique in a kernel; any text (the name of a town keeps its letters, D9). */
  readonly name: string
  /**
   * The codec of messages, from which `M` derives. Checks each message where the kernel's `checkMessages` is
   * on (ADR 1004); the actor receives the value that was sent. Large values use a nominal codec.
   */
  readonly codec: t.Type<M, unknown>
  /** The most messages from others that may wait. The outcomes of the actor's own effects are not counted. */
  readonly mailboxMax: number
  /**
   * First state and effects of each incarnation. The children after it start only when a step says `ready`.
   */
  readonly initial: (moment: Moment) => Step<S, E, M>
  readonly receive: (state: S, message: M, moment: Moment) => Step<S, E, M>
  readonly perform: (ports: P) => Perform<E, M>
  /**
   * The last message of a drain; the actor responds with `end`. If absent, the kernel ends the actor when
   * nothing waits.
   */
  readonly drain?: M
  /** An effect that runs longer than this makes the actor stuck. */
  readonly stuckMs?: number
}

/** Answers an ask. Place it after the effects that must be on record before the answer. */
export const reply = <A>(to: ReplyTo<A>, value: NoInfer<A>): KernelEffect<never> =>
  attachCarrier({ kernel: 'reply', to, answer: value }, () => answerAsk(to, value))

/**
 * Sends the actor a message after a delay; the same key replaces the earlier one. Ends with the incarnation.
 */
export const after = <M>(key: string, delayMs: number, message: M): KernelEffect<M> => ({
  kernel: 'after',
  key,
  delayMs,
  message,
})

export const cancel = (key: string): KernelEffect<never> => ({ kernel: 'cancel', key })

/**
 * Starts an effect in its turn and goes on with the next one: for a flight, such as a call of another host, which would
 * hold the others up. Its outcomes are messages to the actor as those of any effect, so its end is one; the actor's
 * state says which flight is under way. A drain does not wait for it, and `stuckMs` does not end it: the effect has a
 * time-out and obeys the signal.
 */
export const beside = <E extends Tagged>(effect: E): Beside<E> => ({ kernel: 'beside', effect })

/** Reports to the supervisor that this incarnation is ready; the supervisor starts the next child. */
export const ready: KernelEffect<never> = { kernel: 'ready' }

/**
 * The actor is done: its response to the drain message, or the normal end of a transient or temporary actor.
 */
export const end: KernelEffect<never> = { kernel: 'end' }

/** Carries out a `reply` or `tell`; returns null for an effect that those functions did not create. */
export const carryOut = (effect: object): DeliveryOutcome | boolean | null => carriers.get(effect)?.() ?? null

/** A step without effects. */
export const stay = <S>(state: S): Step<S> => [state, []]

type Carrier = () => DeliveryOutcome | boolean

const carriers = new WeakMap<object, Carrier>()

const attachCarrier = <E extends object>(effect: E, carrier: Carrier): E => {
  carriers.set(effect, carrier)
  return effect
}
