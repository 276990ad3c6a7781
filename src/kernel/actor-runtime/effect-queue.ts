import type { Tagged } from '../actor/actor.js'
import { type Fifo, makeFifo } from '../actor/fifo.js'
import type { KernelRecord } from '../actor/record.js'
import type { Cancel, KernelClock } from '../time/clock.js'
import type { Behaviour, UntypedEffect } from './behaviour.js'

/**
 * A message being processed, from `receive` to the end of its last effect. `message` is its tag, null for the
 * first step.
 */
export interface EffectWork {
  readonly message: string | null
  readonly body: unknown
  readonly startedMs: number
  effectsLeft: number
}

/** What the effects of one incarnation report to their actor's runtime. */
export interface EffectHost {
  /** Sends the actor a message to itself, from an effect or a timer. */
  readonly tellSelf: (message: Tagged) => void
  readonly onWorkDone: (work: EffectWork) => void
  readonly onEffectDone: () => void
  /** `work` is null for an effect that ran beside the others: its message was done when it began. */
  readonly onFault: (error: unknown, work: EffectWork | null) => void
  readonly onReady: () => void
  readonly onEnd: () => void
  /** Reports an effect that ended after its incarnation did; its outcomes never reach the actor. */
  readonly onLate: (effect: string, outcomes: ReadonlyArray<Tagged>) => void
  /** Whether the results of this incarnation still count. */
  readonly isCurrent: () => boolean
  readonly log: (record: KernelRecord) => void
}

/**
 * The effects of one incarnation, the kernel's own among them: carried out in order, one at a time. Those that run
 * beside them are not among them once they have begun.
 */
export interface EffectQueue {
  readonly behaviour: Behaviour
  readonly clock: KernelClock
  readonly host: EffectHost
  readonly jobs: Fifo<Job>
  readonly timers: Map<string, Cancel>
  readonly controller: AbortController
  running: { readonly tag: string; readonly work: EffectWork } | null
  isHalted: boolean
}

/** An empty queue for the effects of one incarnation; nothing runs yet. */
export const makeEffectQueue = (behaviour: Behaviour, clock: KernelClock, host: EffectHost): EffectQueue => ({
  behaviour,
  clock,
  host,
  jobs: makeFifo(),
  timers: new Map(),
  controller: new AbortController(),
  running: null,
  isHalted: false,
})

/** Returns the number of effects not yet completed, the running one included. */
export const countPending = (queue: EffectQueue): number =>
  queue.jobs.size() + (queue.running === null ? 0 : 1)

/**
 * Ends the queue: aborts the signal, cancels the timers and returns the tags of the effects not carried out,
 * in order.
 */
export const haltEffects = (queue: EffectQueue): ReadonlyArray<string> => {
  queue.isHalted = true
  const left = queue.jobs.takeAll().map(job => tagOf(job.effect))
  cancelTimers(queue)
  queue.controller.abort()
  return queue.running === null ? left : [queue.running.tag, ...left]
}

/** Cancels every timer of the incarnation. */
export const cancelTimers = (queue: EffectQueue): void => {
  for (const cancel of queue.timers.values()) cancel()
  queue.timers.clear()
}

interface Job {
  readonly effect: UntypedEffect
  readonly work: EffectWork
}

const tagOf = (effect: UntypedEffect): string => {
  if (!('kernel' in effect)) return effect._tag
  return effect.kernel === 'beside' ? effect.effect._tag : effect.kernel
}
