import { carryOut, type KernelEffect, type Moment, type Tagged } from '../actor/actor.js'
import { countDeadLetter, countDone } from '../actor/tally.js'
import type { Core } from '../core.js'
import type { UntypedEffect, UntypedStep } from './behaviour.js'
import { countPending, type EffectQueue, type EffectWork } from './effect-queue.js'
import { failIncarnation, finishDrain } from './end.js'
import type { ActorRuntime, Envelope, Incarnation } from './runtime.js'

/** Asks nact for a turn if there is something to do. */
export const wakeActor = (runtime: ActorRuntime): void => {
  if (runtime.live !== null && hasWork(runtime, runtime.live)) runtime.live.lane.wake()
}

/** Takes one turn of nact: the first step of an incarnation, or one message. */
export const takeTurn = (runtime: ActorRuntime, live: Incarnation): void => {
  if (runtime.live !== live) return
  const { clock, meter } = runtime.core
  const startedMs = clock.monotonicMs()
  const handled =
    live.state === undefined ? begin(runtime, live, startedMs) : handleNext(runtime, live, startedMs)
  const endedMs = clock.monotonicMs()
  if (handled !== null) countHandled(runtime, handled, endedMs - startedMs)
  if (endedMs - startedMs > longTurnMs) meter.longTurn(runtime.behaviour.name)
  if (runtime.live === live) settleActor(runtime)
}

/**
 * After a turn or an effect: asks for the next turn. Ends a drain that has no drain message once nothing is
 * left to do.
 */
export const settleActor = (runtime: ActorRuntime): void => {
  wakeActor(runtime)
  const { live } = runtime
  if (runtime.phase !== 'draining' || runtime.behaviour.drain !== undefined || live === null) return
  if (!hasWork(runtime, live) && countPending(live.effects) === 0) finishDrain(runtime)
}

/** Counts a message whose last effect is complete. */
export const onWorkDone = (runtime: ActorRuntime, live: Incarnation, work: EffectWork): void => {
  if (!live.inHand.delete(work) || work.message === null) return
  countHandled(runtime, work.message, runtime.core.clock.monotonicMs() - work.startedMs)
}

/** Sends an actor a message to itself: the outcome of an effect, or a timer. */
export const tellSelf = (runtime: ActorRuntime, message: Tagged): void => {
  runtime.tally.sent += 1
  if (runtime.phase === 'closed')
    return countDeadLetter(runtime.core, runtime.behaviour.name, runtime.tally, 'stopped')
  runtime.own.push({
    body: Object.freeze(message),
    ticket: null,
    enqueuedMs: runtime.core.clock.monotonicMs(),
  })
  wakeActor(runtime)
}

/** Creates the moment of a step that begins now. */
export const makeMoment = (core: Core, incarnation: string, monotonicMs: number): Moment =>
  new DrawnMoment(core, incarnation, monotonicMs)

/** A longer turn blocks the event loop noticeably; the meter counts it. */
const longTurnMs = 250

/** With this many effects pending, messages from others wait in the (bounded) mailbox. */
const pendingEffectsMax = 64

const takesMail = (live: Incarnation): boolean => countPending(live.effects) < pendingEffectsMax

const hasWork = (runtime: ActorRuntime, live: Incarnation): boolean =>
  (runtime.inbox.size() > 0 && takesMail(live)) ||
  runtime.own.size() > 0 ||
  live.state === undefined ||
  live.beat?.at === 'inbox'

const begin = (runtime: ActorRuntime, live: Incarnation, startedMs: number): null => {
  const work: EffectWork = { message: null, body: null, startedMs, effectsLeft: 0 }
  let step: UntypedStep
  try {
    step = runtime.behaviour.initial(makeMoment(runtime.core, live.label, startedMs))
  } catch (error) {
    failIncarnation(runtime, live, 'initial', error, work)
    return null
  }
  live.state = step[0]
  pushStep(live, step, work)
  return null
}

/**
 * Handles the next message. Returns its tag where its step had no effects, so that this turn completes it.
 */
const handleNext = (runtime: ActorRuntime, live: Incarnation, startedMs: number): string | null => {
  if (live.beat?.at === 'inbox') echoHeartbeat(live, live.beat.sentMs)
  const envelope = runtime.own.shift() ?? (takesMail(live) ? runtime.inbox.shift() : undefined)
  if (envelope === undefined) return null
  const message = openEnvelope(runtime, envelope, startedMs)
  if (message === null) return null
  let step: UntypedStep
  try {
    if (live.isReceiving) {
      runtime.core.meter.violated('S32')
      throw new Error('two messages at once in one actor')
    }
    live.isReceiving = true
    step = runtime.behaviour.receive(live.state, message, makeMoment(runtime.core, live.label, startedMs))
  } catch (error) {
    failIncarnation(runtime, live, 'receive', error, workOf(envelope, message, startedMs))
    return null
  }
  live.isReceiving = false
  live.state = step[0]
  if (step[1].length === 0) return message._tag
  pushStep(live, step, workOf(envelope, message, startedMs))
  return null
}

const workOf = (envelope: Envelope, message: Tagged, startedMs: number): EffectWork => ({
  message: message._tag,
  body: envelope.body,
  startedMs,
  effectsLeft: 0,
})

const pushStep = (live: Incarnation, [, effects]: UntypedStep, work: EffectWork): void => {
  if (effects.length === 0) return
  live.inHand.add(work)
  work.effectsLeft = effects.length
  pushEffects(live.effects, effects, work)
}

/** Returns the message of an envelope; null where it became a dead letter. */
const openEnvelope = (
  runtime: ActorRuntime,
  { body, ticket, enqueuedMs }: Envelope,
  nowMs: number,
): Tagged | null => {
  const { behaviour, core, tally } = runtime
  core.meter.waited(behaviour.name, (nowMs - enqueuedMs) / 1000)
  if (ticket !== null && !ticket.isOpen()) {
    countDeadLetter(core, behaviour.name, tally, 'deadline')
    return null
  }
  const message = behaviour.readMessage(body)
  if (message === null) {
    countDeadLetter(core, behaviour.name, tally, 'undecodable')
    ticket?.fail({ _tag: 'Undecodable', actor: behaviour.name })
  } else if (ticket !== null) runtime.owed.add(ticket)
  return message
}

/** The heartbeat has passed the mailbox: it is back now, or when the running effect ends. */
const echoHeartbeat = (live: Incarnation, sentMs: number): void => {
  live.beat = live.effects.running === null ? null : { sentMs, at: 'effects' }
}

const countHandled = ({ behaviour, core, tally }: ActorRuntime, message: string, tookMs: number): void => {
  core.meter.processed(behaviour.name, message, tookMs / 1000)
  countDone(core, behaviour.name, tally, message, 'ok')
}

/** Queues the effects of one step, and starts the first if none is running. */
const pushEffects = (queue: EffectQueue, effects: ReadonlyArray<UntypedEffect>, work: EffectWork): void => {
  for (const effect of effects) queue.jobs.push({ effect, work })
  startNext(queue)
}

const startNext = (queue: EffectQueue): void => {
  while (queue.running === null && !queue.isHalted) {
    const job = queue.jobs.shift()
    if (job === undefined) return
    if (!('kernel' in job.effect)) start(queue, job.effect, job.work)
    else if (job.effect.kernel === 'beside') {
      run(queue, job.effect.effect, null)
      onCarried(queue, job.effect.kernel, job.work)
    } else if (carryKernelEffect(queue, job.effect, job.work)) onCarried(queue, job.effect.kernel, job.work)
  }
}

const onCarried = (queue: EffectQueue, kernel: string, work: EffectWork): void => {
  countCarried(queue, work)
  if (kernel === 'end') queue.host.onEnd()
  else queue.host.onEffectDone()
}

const start = (queue: EffectQueue, effect: Tagged, work: EffectWork): void => {
  queue.running = { tag: effect._tag, work }
  run(queue, effect, work)
}

/** Begins an effect. `work` is null where the others do not wait for it. */
const run = (queue: EffectQueue, effect: Tagged, work: EffectWork | null): void => {
  const tell = (message: Tagged): void =>
    queue.host.isCurrent() ? queue.host.tellSelf(message) : queue.host.onLate(effect._tag, [message])
  let outcome: Promise<ReadonlyArray<Tagged>>
  try {
    outcome = queue.behaviour.perform(effect, queue.controller.signal, tell)
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
  work: EffectWork | null,
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
  if (queue.isHalted || work === null) return
  queue.running = null
  countCarried(queue, work)
  queue.host.onEffectDone()
  startNext(queue)
}

const onFailure = (queue: EffectQueue, effect: Tagged, work: EffectWork | null, error: unknown): void =>
  queue.isHalted ? queue.host.onLate(effect._tag, []) : queue.host.onFault(error, work)

const countCarried = (queue: EffectQueue, work: EffectWork): void => {
  work.effectsLeft -= 1
  if (work.effectsLeft === 0) queue.host.onWorkDone(work)
}

/**
 * The moment of one step. Wall time, id and chance are drawn when `receive` first reads them: most steps read
 * none, and the draws cost as much as the rest of a turn. It is a class because an object literal with
 * getters is slow to create.
 */
class DrawnMoment implements Moment {
  readonly monotonicMs: number
  readonly incarnation: string
  readonly #core: Core
  #nowMs: number | null = null
  #id: string | null = null
  #chance: number | null = null

  constructor(core: Core, incarnation: string, monotonicMs: number) {
    this.#core = core
    this.incarnation = incarnation
    this.monotonicMs = monotonicMs
  }

  get nowMs(): number {
    this.#nowMs ??= this.#core.clock.nowMs()
    return this.#nowMs
  }

  get id(): string {
    this.#id ??= this.#core.entropy.id()
    return this.#id
  }

  get chance(): number {
    this.#chance ??= this.#core.entropy.chance()
    return this.#chance
  }
}

/**
 * Carries out one of the kernel's own effects. Returns false where it threw, which faults the incarnation.
 */
const carryKernelEffect = (queue: EffectQueue, effect: KernelEffect<Tagged>, work: EffectWork): boolean => {
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
