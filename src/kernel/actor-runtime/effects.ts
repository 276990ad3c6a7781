import type { Tagged } from '../actor/actor.js'
import type { UntypedEffect } from './behaviour.js'
import type { EffectQueue, EffectWork } from './effect-queue.js'
import { carryKernelEffect } from './kernel-effects.js'

/** Queues the effects of one step, and starts the first if none is running. */
export const pushEffects = (
  queue: EffectQueue,
  effects: ReadonlyArray<UntypedEffect>,
  work: EffectWork,
): void => {
  for (const effect of effects) queue.jobs.push({ effect, work })
  startNext(queue)
}

const startNext = (queue: EffectQueue): void => {
  while (queue.running === null && !queue.isHalted) {
    const job = queue.jobs.shift()
    if (job === undefined) return
    if ('kernel' in job.effect) {
      if (carryKernelEffect(queue, job.effect, job.work)) onCarried(queue, job.effect.kernel, job.work)
    } else start(queue, job.effect, job.work)
  }
}

const onCarried = (queue: EffectQueue, kernel: string, work: EffectWork): void => {
  countCarried(queue, work)
  if (kernel === 'end') queue.host.onEnd()
  else queue.host.onEffectDone()
}

const start = (queue: EffectQueue, effect: Tagged, work: EffectWork): void => {
  queue.running = { tag: effect._tag, work }
  let outcome: Promise<ReadonlyArray<Tagged>>
  try {
    outcome = queue.behaviour.perform(effect, queue.controller.signal)
  } catch (error) {
    return queue.host.onFault(error, work)
  }
  void Promise.resolve(outcome).then(
    outcomes => onOutcomes(queue, effect, work, outcomes),
    (error: unknown) => onFailure(queue, effect, work, error),
  )
}

const onOutcomes = (
  queue: EffectQueue,
  effect: Tagged,
  work: EffectWork,
  outcomes: ReadonlyArray<Tagged>,
): void => {
  const isList: boolean = Array.isArray(outcomes)
  if (!queue.host.isCurrent()) return queue.host.onLate(effect._tag, isList ? outcomes : [])
  if (!isList)
    return onFailure(
      queue,
      effect,
      work,
      new TypeError(`perform of ${effect._tag} answered no list of messages`),
    )
  for (const message of outcomes) queue.host.tellSelf(message)
  if (queue.isHalted) return
  queue.running = null
  countCarried(queue, work)
  queue.host.onEffectDone()
  startNext(queue)
}

const onFailure = (queue: EffectQueue, effect: Tagged, work: EffectWork, error: unknown): void =>
  queue.isHalted ? queue.host.onLate(effect._tag, []) : queue.host.onFault(error, work)

const countCarried = (queue: EffectQueue, work: EffectWork): void => {
  work.effectsLeft -= 1
  if (work.effectsLeft === 0) queue.host.onWorkDone(work)
}
