import { isLeft } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import type { Actor, Beside, KernelEffect, Moment, Tagged } from '../actor/actor.js'

/** An effect with its type erased: one of the actor's own, or one that the kernel carries out. */
export type UntypedEffect = Tagged | Beside<Tagged> | KernelEffect<Tagged>

export type UntypedStep = readonly [state: unknown, effects: ReadonlyArray<UntypedEffect>]

/**
 * An actor with its types erased, its ports bound and its codec applied first: what the runtime works with.
 */
export interface Behaviour {
  readonly name: string
  readonly mailboxMax: number
  readonly drain: Tagged | undefined
  readonly stuckMs: number | undefined
  /** Returns the message; null where the kernel checks messages and the codec rejects this one. */
  readonly readMessage: (body: unknown) => Tagged | null
  readonly initial: (moment: Moment) => UntypedStep
  readonly receive: (state: unknown, message: Tagged, moment: Moment) => UntypedStep
  readonly perform: (
    effect: Tagged,
    signal: AbortSignal,
    tell: (message: Tagged) => void,
  ) => Promise<ReadonlyArray<Tagged>>
}

/**
 * Erases the types of an actor. This is the only place that does so, and it is sound: the runtime passes
 * `receive` only a state that `initial` or `receive` returned and a message that the codec or the sender's
 * types allowed, and passes `perform` only an effect of a step. `ports` is called for each effect.
 */
export const eraseActor = <S, M extends Tagged, E extends Tagged, P>(
  actor: Actor<S, M, E, P>,
  ports: () => P,
  checkMessages: boolean,
): Behaviour => ({
  name: actor.name,
  mailboxMax: actor.mailboxMax,
  drain: actor.drain,
  stuckMs: actor.stuckMs,
  readMessage: checkMessages ? checkBody(actor.codec) : trustBody,
  initial: moment => checkStep(actor.initial(moment)),
  receive: (state, message, moment) => checkStep(actor.receive(state as S, message as M, moment)),
  perform: (effect, signal, tell) => actor.perform(ports())(effect as E, signal, tell),
})

/** A cast: the types of `Ref` and `Perform` already keep any other message from the actor. */
const trustBody = (body: unknown): Tagged => body as Tagged

/**
 * Returns null where the codec rejects the message or throws. Otherwise returns the value that was sent, not
 * the codec's output, so that an actor receives the same values whether the kernel checks messages or not.
 */
const checkBody =
  (codec: t.Decoder<unknown, Tagged>) =>
  (body: unknown): Tagged | null => {
    try {
      return isLeft(codec.decode(body)) ? null : trustBody(body)
    } catch {
      return null
    }
  }

/**
 * Throws where a step lacks its state or its list of effects: that is a fault, not a state of `undefined`.
 */
const checkStep = (step: UntypedStep): UntypedStep => {
  const isPair: boolean = Array.isArray(step)
  if (!isPair || step[0] === undefined || !Array.isArray(step[1]))
    throw new TypeError('a step is a pair of state and effects')
  return step
}
