import type { Cancel, Clock } from '../time/clock.js'
import { carryOut, type KernelEffect, type Perform, type Tagged } from './actor.js'
import { type Fifo, fifo } from './fifo.js'
import type { KernelRecord } from './record.js'

/** A message in hand: from `receive` to the end of its last effect. `message` is null for the first step. */
export interface Work {
  readonly message: string | null
  readonly body: unknown
  readonly startedMs: number
  effectsLeft: number
}

/** What the effects of one incarnation need of their actor. */
export interface EffectHost<M> {
  /** A message to self, from an effect or a timer of this incarnation. */
  readonly own: (message: M) => void
  readonly workDone: (work: Work) => void
  readonly effectDone: () => void
  readonly fault: (error: unknown, work: Work) => void
  readonly ready: () => void
  readonly end: () => void
  /** An effect of an incarnation that is no more came to its end; its outcomes never reach the actor. */
  readonly late: (effect: string, outcomes: ReadonlyArray<M>) => void
  /** Whether the results of this incarnation still count. */
  readonly isCurrent: () => boolean
  readonly log: (record: KernelRecord) => void
}

interface Job<E, M> {
  readonly effect: E | KernelEffect<M>
  readonly work: Work
}

/** The effects of one incarnation: carried out in order, one at a time, the kernel's own among them. */
export interface EffectLane<E, M> {
  readonly name: string
  readonly perform: Perform<E, M>
  readonly clock: Clock
  readonly host: EffectHost<M>
  readonly queue: Fifo<Job<E, M>>
  readonly timers: Map<string, Cancel>
  readonly controller: AbortController
  running: { readonly tag: string; readonly work: Work } | null
  halted: boolean
}

export const openEffects = <E extends Tagged, M>(
  name: string,
  perform: Perform<E, M>,
  clock: Clock,
  host: EffectHost<M>,
): EffectLane<E, M> => ({
  name,
  perform,
  clock,
  host,
  queue: fifo(),
  timers: new Map(),
  controller: new AbortController(),
  running: null,
  halted: false,
})

export const pushEffects = <E extends Tagged, M>(
  lane: EffectLane<E, M>,
  effects: ReadonlyArray<E | KernelEffect<M>>,
  work: Work,
): void => {
  for (const effect of effects) lane.queue.push({ effect, work })
  pump(lane)
}

/** Effects not yet carried out, the running one included. */
export const backlog = <E, M>(lane: EffectLane<E, M>): number =>
  lane.queue.size() + (lane.running === null ? 0 : 1)

const tagOf = (effect: Tagged | KernelEffect<unknown>): string =>
  'kernel' in effect ? effect.kernel : effect._tag

/** Fires the signal and takes back the timers; answers the tags of what was not carried out, in order. */
export const halt = <E extends Tagged, M>(lane: EffectLane<E, M>): ReadonlyArray<string> => {
  lane.halted = true
  const left = lane.queue.takeAll().map(job => tagOf(job.effect))
  forgetTimers(lane)
  lane.controller.abort()
  return lane.running === null ? left : [lane.running.tag, ...left]
}

export const forgetTimers = <E, M>(lane: EffectLane<E, M>): void => {
  for (const cancel of lane.timers.values()) cancel()
  lane.timers.clear()
}

const pump = <E extends Tagged, M>(lane: EffectLane<E, M>): void => {
  while (lane.running === null && !lane.halted) {
    const job = lane.queue.shift()
    if (job === undefined) return
    if ('kernel' in job.effect) carryKernel(lane, job.effect, job.work)
    else start(lane, job.effect, job.work)
  }
}

const start = <E extends Tagged, M>(lane: EffectLane<E, M>, effect: E, work: Work): void => {
  lane.running = { tag: effect._tag, work }
  let outcome: Promise<ReadonlyArray<M>>
  try {
    outcome = lane.perform(effect, lane.controller.signal)
  } catch (error) {
    return lane.host.fault(error, work)
  }
  void Promise.resolve(outcome).then(
    outcomes => settled(lane, effect, work, outcomes),
    (error: unknown) => failed(lane, effect, work, error),
  )
}

const settled = <E extends Tagged, M>(
  lane: EffectLane<E, M>,
  effect: E,
  work: Work,
  outcomes: ReadonlyArray<M>,
): void => {
  const isList: boolean = Array.isArray(outcomes)
  if (!lane.host.isCurrent()) return lane.host.late(effect._tag, isList ? outcomes : [])
  if (!isList)
    return failed(lane, effect, work, new TypeError(`perform of ${effect._tag} answered no list of messages`))
  for (const message of outcomes) lane.host.own(message)
  if (lane.halted) return
  lane.running = null
  finish(lane, work)
  lane.host.effectDone()
  pump(lane)
}

const failed = <E extends Tagged, M>(lane: EffectLane<E, M>, effect: E, work: Work, error: unknown): void =>
  lane.halted ? lane.host.late(effect._tag, []) : lane.host.fault(error, work)

const finish = <E, M>(lane: EffectLane<E, M>, work: Work): void => {
  work.effectsLeft -= 1
  if (work.effectsLeft === 0) lane.host.workDone(work)
}

const carryKernel = <E extends Tagged, M>(
  lane: EffectLane<E, M>,
  effect: KernelEffect<M>,
  work: Work,
): void => {
  try {
    byKernel(lane, effect)
  } catch (error) {
    return lane.host.fault(error, work)
  }
  finish(lane, work)
  if (effect.kernel === 'end') lane.host.end()
  else lane.host.effectDone()
}

const byKernel = <E, M>(lane: EffectLane<E, M>, effect: KernelEffect<M>): void => {
  switch (effect.kernel) {
    case 'reply':
    case 'tell':
      return carry(lane, effect)
    case 'after':
      return arm(lane, effect.key, effect.delayMs, effect.message)
    case 'cancel':
      lane.timers.get(effect.key)?.()
      lane.timers.delete(effect.key)
      return
    case 'ready':
      return lane.host.ready()
    case 'end':
      return
  }
}

const arm = <E, M>(lane: EffectLane<E, M>, key: string, delayMs: number, message: M): void => {
  lane.timers.get(key)?.()
  const fire = (): void => {
    lane.timers.delete(key)
    lane.host.own(message)
  }
  lane.timers.set(key, lane.clock.after(delayMs, fire))
}

const carry = <E, M>(
  lane: EffectLane<E, M>,
  effect: Extract<KernelEffect<M>, { kernel: 'reply' | 'tell' }>,
): void => {
  const outcome = carryOut(effect)
  if (outcome === null) throw new TypeError(`a ${effect.kernel} effect that the kernel did not make`)
  if (effect.kernel === 'reply' && outcome === false)
    lane.host.log({ event: 'late_reply', actor: lane.name, askId: effect.to.askId })
  if (effect.kernel === 'tell' && typeof outcome === 'string' && outcome !== 'accepted')
    lane.host.log({ event: 'tell_refused', actor: lane.name, to: effect.to.name, admission: outcome })
}
