import { carryOut, type KernelEffect, type Tagged } from '../actor/actor.js'
import type { EffectQueue, EffectWork } from './effect-queue.js'

/**
 * Carries out one of the kernel's own effects. Returns false where it threw, which faults the incarnation.
 */
export const carryKernelEffect = (
  queue: EffectQueue,
  effect: KernelEffect<Tagged>,
  work: EffectWork,
): boolean => {
  try {
    carry(queue, effect)
    return true
  } catch (error) {
    queue.host.onFault(error, work)
    return false
  }
}

const carry = (queue: EffectQueue, effect: KernelEffect<Tagged>): void => {
  switch (effect.kernel) {
    case 'reply':
    case 'tell':
      return send(queue, effect)
    case 'after':
      return armTimer(queue, effect.key, effect.delayMs, effect.message)
    case 'cancel':
      queue.timers.get(effect.key)?.()
      queue.timers.delete(effect.key)
      return
    case 'ready':
      return queue.host.onReady()
    case 'end':
      return
  }
}

const armTimer = (queue: EffectQueue, key: string, delayMs: number, message: Tagged): void => {
  queue.timers.get(key)?.()
  const fire = (): void => {
    queue.timers.delete(key)
    queue.host.tellSelf(message)
  }
  queue.timers.set(key, queue.clock.after(delayMs, fire))
}

/** Replies or tells. Logs a reply that came too late and a message that was not accepted. */
const send = (
  { behaviour: { name }, host }: EffectQueue,
  effect: Extract<KernelEffect<Tagged>, { kernel: 'reply' | 'tell' }>,
): void => {
  const outcome = carryOut(effect)
  if (outcome === null) throw new TypeError(`a ${effect.kernel} effect that the kernel did not make`)
  if (effect.kernel === 'reply' && outcome === false)
    host.log({ event: 'late_reply', actor: name, askId: effect.to.askId })
  if (effect.kernel === 'tell' && typeof outcome === 'string' && outcome !== 'accepted')
    host.log({ event: 'tell_refused', actor: name, to: effect.to.name, admission: outcome })
}
