import type { Actor, Beside, KernelEffect, Step, Tagged } from '#src/kernel/actor/actor.js'
import type { Entropy } from '#src/kernel/entropy.js'
import type { Cancel, KernelClock } from '#src/kernel/time/clock.js'

/**
 * Runs one actor without a kernel: no mailbox, no supervisor, no heartbeat, so that a seed costs few turns of the
 * loop. Only the effects of a timer are carried out for the actor; `reply` and `tell` are not. Returns the function
 * that sends it a message.
 */
export const driveActor = <S, M extends Tagged, E extends Tagged, P>(
  actor: Actor<S, M, E, P>,
  ports: P,
  clock: KernelClock,
  { chance, id }: Entropy,
): ((message: M) => void) => {
  const timers = new Map<string, Cancel>()
  const { signal } = new AbortController()
  const moment = () => ({
    nowMs: clock.nowMs(),
    monotonicMs: clock.monotonicMs(),
    id: id(),
    chance: chance(),
    incarnation: `${actor.name}.1`,
  })
  const tell = (message: M): void => take(actor.receive(state, message, moment()))
  const perform = async (effect: E): Promise<void> => {
    for (const message of await actor.perform(ports)(effect, signal, tell)) tell(message)
  }
  const carryOut = (effect: KernelEffect<M> | Beside<E>): void => {
    if (effect.kernel === 'beside') void perform(effect.effect)
    if (effect.kernel !== 'after') return
    const { key, delayMs, message } = effect
    timers.get(key)?.()
    timers.set(
      key,
      clock.after(delayMs, () => tell(message)),
    )
  }
  const run = async (effects: Step<S, E, M>[1]): Promise<void> => {
    for (const effect of effects)
      if ('kernel' in effect) carryOut(effect)
      else await perform(effect)
  }
  const take = ([next, effects]: Step<S, E, M>): void => {
    state = next
    void run(effects)
  }
  let state: S
  const [first, effects] = actor.initial(moment())
  state = first
  void run(effects)
  return tell
}
