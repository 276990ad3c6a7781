import { isLeft } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import type { Actor, KernelEffect, Moment, Tagged } from '../actor/actor.js'

/** An effect of an actor whose types the runtime does not know, or one that the kernel carries out. */
export type Effect = Tagged | KernelEffect<Tagged>

export type Step = readonly [state: unknown, effects: ReadonlyArray<Effect>]

/** An actor without its types, with its ports bound and its codec in front: what the runtime works with. */
export interface Behaviour {
  readonly name: string
  readonly mailboxMax: number
  readonly drain: Tagged | undefined
  readonly stuckMs: number | undefined
  /** The message in what was sent; null where the kernel checks messages and the codec refuses it. */
  readonly readMessage: (body: unknown) => Tagged | null
  readonly initial: (moment: Moment) => Step
  readonly receive: (state: unknown, message: Tagged, moment: Moment) => Step
  readonly perform: (effect: Tagged, signal: AbortSignal) => Promise<ReadonlyArray<Tagged>>
}

/** The types of `Ref` and `Perform` let no other message reach the actor. */
const trustBody = (body: unknown): Tagged => body as Tagged

/**
 * Null where the codec refuses the message, or throws. Else what was sent, not what the codec made of it: so an actor
 * receives the same values whether its messages are checked or not.
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

/** A step that lacks its state or its list of effects is a fault, not a state of `undefined`. */
const checkStep = (step: Step): Step => {
  const isPair: boolean = Array.isArray(step)
  if (!isPair || step[0] === undefined || !Array.isArray(step[1]))
    throw new TypeError('a step is a pair of state and effects')
  return step
}

/**
 * Takes the types off an actor. This is the only place where they end, and it is sound: the runtime hands `receive` no
 * state but one that `initial` or `receive` returned, no message but one that the codec or the types of its sender let
 * pass, and `perform` no effect but one of a step. `ports` is called for each effect.
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
  perform: (effect, signal) => actor.perform(ports())(effect as E, signal),
})
