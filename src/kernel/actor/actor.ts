import type * as t from 'io-ts'
import { type Admission, answer, type Ref, type ReplyTo, tell } from './ref.js'

/** What every message and effect has: its name within a closed union. */
export interface Tagged {
  readonly _tag: string
}

/**
 * What `receive` may know of the world. Fresh for each message; `id` and `chance` are one draw each, made when first
 * read.
 */
export interface Moment {
  readonly nowMs: number
  readonly monotonicMs: number
  /** Unique in the world; several ids of one turn are derived from it. */
  readonly id: string
  /** In [0, 1). */
  readonly chance: number
  /** `name.n`: what an effect writes may carry it, so that a store can refuse a superseded writer. */
  readonly incarnation: string
}

/** Effects that the kernel carries out itself, in their place among the actor's own. */
export type KernelEffect<M> =
  | { readonly kernel: 'reply'; readonly to: ReplyTo<never>; readonly answer: unknown }
  | { readonly kernel: 'tell'; readonly to: Ref<never>; readonly message: unknown }
  | { readonly kernel: 'after'; readonly key: string; readonly delayMs: number; readonly message: M }
  | { readonly kernel: 'cancel'; readonly key: string }
  | { readonly kernel: 'ready' }
  | { readonly kernel: 'end' }

export type Step<S, E = never, M = never> = readonly [state: S, effects: ReadonlyArray<E | KernelEffect<M>>]

/** Carries out one effect; the signal fires when its incarnation is superseded. */
export type Perform<E, M> = (effect: E, signal: AbortSignal) => Promise<ReadonlyArray<M>>

/**
 * An actor is data. `receive` is synchronous, total and pure; `perform` carries out one effect and turns every
 * outcome into messages to self. Effects run in order, one at a time, beside the mailbox: messages go on being
 * received while an effect runs. A throw anywhere is a fault and goes to the supervisor.
 */
export interface Actor<S, M extends Tagged, E extends Tagged, P> {
  /** Unique in a kernel; any text (a town keeps its letters, D9). */
  readonly name: string
  /**
   * The vocabulary of messages: `M` derives from it. Checks each message where the kernel has `checkMessages`
   * on (ADR 1004); the actor receives what was sent. Large values pass by a nominal codec.
   */
  readonly codec: t.Type<M, unknown>
  /** Bound of messages from others that wait. Outcomes of own effects are bounded by the effects. */
  readonly mailboxMax: number
  /** First state and effects of each incarnation. If none ever says `ready`, the children behind it wait in vain. */
  readonly initial: (moment: Moment) => Step<S, E, M>
  readonly receive: (state: S, message: M, moment: Moment) => Step<S, E, M>
  readonly perform: (ports: P) => Perform<E, M>
  /** The last message of a drain; the actor answers it with `end`. Absent: the kernel ends it when nothing waits. */
  readonly drain?: M
  /** One effect longer than this makes the actor stuck. */
  readonly stuckMs?: number
}

type Carrier = () => Admission | boolean

const carriers = new WeakMap<object, Carrier>()

const carried = <E extends object>(effect: E, carrier: Carrier): E => {
  carriers.set(effect, carrier)
  return effect
}

/** Answers an ask. Put it after what must be recorded first. */
export const reply = <A>(to: ReplyTo<A>, value: NoInfer<A>): KernelEffect<never> =>
  carried({ kernel: 'reply', to, answer: value }, () => answer(to, value))

/** Tells another actor. A refusal is logged; who must know of it uses a port and `tell` in `perform`. */
export const tellTo = <M>(to: Ref<M>, message: NoInfer<M>): KernelEffect<never> =>
  carried({ kernel: 'tell', to, message }, () => tell(to, message))

/** A message to self after a time; the same key replaces it. Dies with the incarnation. */
export const after = <M>(key: string, delayMs: number, message: M): KernelEffect<M> => ({
  kernel: 'after',
  key,
  delayMs,
  message,
})

export const cancel = (key: string): KernelEffect<never> => ({ kernel: 'cancel', key })

/** Reports to the supervisor that this incarnation may be relied upon; the next child starts. */
export const ready: KernelEffect<never> = { kernel: 'ready' }

/** The actor is done: the answer to its drain message, or the normal end of a transient or temporary one. */
export const end: KernelEffect<never> = { kernel: 'end' }

/** Carries out a `reply` or `tell`; null when the effect was not made by those functions. */
export const carryOut = (effect: object): Admission | boolean | null => carriers.get(effect)?.() ?? null

/** A step without effects. */
export const stay = <S>(state: S): Step<S> => [state, []]
