import type { Tagged } from '../actor/actor.js'
import type { Orphans } from '../actor/record.js'
import { countDone } from '../actor/tally.js'
import type { Child, ChildReport } from '../supervision/child.js'
import { cancelTimers, type EffectHost, makeEffectQueue } from './effect-queue.js'
import { closeActor, endIncarnation, endNormally, failIncarnation, finishDrain } from './end.js'
import { nextPhase, phases } from './phases.js'
import type { ActorRuntime, Incarnation } from './runtime.js'
import { onWorkDone, settleActor, takeTurn, tellSelf, wakeActor } from './turn.js'

/** The actor as a child of its supervisor. */
export const childOf = (runtime: ActorRuntime): Child => ({
  name: runtime.behaviour.name,
  start: (readyMs, report) => startIncarnation(runtime, readyMs, report),
  supersede: delayMs => supersede(runtime, delayMs),
  close: () => {
    if (runtime.finishDrain === null) return closeActor(runtime)
    finishDrain(runtime)
    return []
  },
  drain: limitMs => drainActor(runtime, limitMs),
})

/** Starts the next incarnation. It fails if it has not reported ready after `readyMs`. */
const startIncarnation = (runtime: ActorRuntime, readyMs: number, report: ChildReport): void => {
  const { behaviour, core } = runtime
  runtime.phase = nextPhase(behaviour.name, runtime.phase, 'start')
  runtime.incarnations += 1
  const label = `${behaviour.name}.${runtime.incarnations}`
  const live: Incarnation = {
    number: runtime.incarnations,
    label,
    lane: core.engine.spawn(label, () => takeTurn(runtime, live)),
    effects: makeEffectQueue(
      behaviour,
      core.clock,
      hostEffects(runtime, () => live),
    ),
    report,
    inHand: new Set(),
    cancelReadiness: core.clock.after(readyMs, () =>
      failIncarnation(runtime, live, 'not_ready', new Error(`no ready within ${readyMs} ms`), null),
    ),
    state: undefined,
    isReady: false,
    isReceiving: false,
    beat: null,
  }
  runtime.live = live
  core.meter.state(behaviour.name, phases[runtime.phase].shownAs)
  core.meter.backoff(behaviour.name, 0)
  core.log({ event: 'started', actor: behaviour.name, incarnation: label })
  wakeActor(runtime)
}

const hostEffects = (runtime: ActorRuntime, live: () => Incarnation): EffectHost => ({
  tellSelf: message => tellSelf(runtime, message),
  onWorkDone: work => onWorkDone(runtime, live(), work),
  onEffectDone: () => {
    const incarnation = live()
    if (incarnation.beat?.at === 'effects') incarnation.beat = null
    settleActor(runtime)
  },
  onFault: (error, work) =>
    failIncarnation(runtime, live(), work?.message === null ? 'initial' : 'effect', error, work),
  onReady: () => becomeReady(runtime, live()),
  onEnd: () => endNormally(runtime, live()),
  onLate: (effect, outcomes) => dropLate(runtime, live(), effect, outcomes),
  isCurrent: () => runtime.core.rules.isCurrent(live().number, runtime.live?.number ?? null),
  log: record => runtime.core.log(record),
})

const becomeReady = (runtime: ActorRuntime, live: Incarnation): void => {
  if (live.isReady) return
  live.isReady = true
  live.cancelReadiness()
  runtime.core.log({ event: 'ready', actor: runtime.behaviour.name })
  live.report.ready()
}

/** Counts and drops the outcomes of an effect whose incarnation has ended. */
const dropLate = (
  { behaviour: { name: actor }, core, tally }: ActorRuntime,
  live: Incarnation,
  effect: string,
  outcomes: ReadonlyArray<Tagged>,
): void => {
  core.log({ event: 'late_result', actor, incarnation: live.label, effect })
  for (const message of outcomes) {
    tally.sent += 1
    countDone(core, actor, tally, message._tag, 'stale_incarnation')
  }
}

/**
 * Ends the incarnation, if one lives; the next one is due after `delayMs`. Waiting messages stay in the
 * mailbox.
 */
const supersede = (runtime: ActorRuntime, delayMs: number): void => {
  if (runtime.phase === 'closed') return
  const { behaviour, core } = runtime
  endIncarnation(runtime, 'Faulted')
  const next = nextPhase(behaviour.name, runtime.phase, 'supersede')
  runtime.phase = next
  if (next !== 'stuck') core.meter.state(behaviour.name, phases[next].shownAs)
  runtime.restsUntilMs = core.clock.monotonicMs() + delayMs
  core.meter.backoff(behaviour.name, delayMs / 1000)
  if (!core.rules.keepsMailbox) runtime.inbox.takeAll()
}

/**
 * Refuses new messages, handles the waiting ones for at most `limitMs`, then closes. Returns what was left
 * over.
 */
const drainActor = (runtime: ActorRuntime, limitMs: number): Promise<ReadonlyArray<Orphans>> => {
  const { behaviour, core, live } = runtime
  const next = nextPhase(behaviour.name, runtime.phase, 'drain')
  if (next === 'closed' || live === null) return Promise.resolve(closeActor(runtime))
  runtime.phase = next
  return new Promise(resolve => {
    const cancel = core.clock.after(limitMs, () => finishDrain(runtime))
    runtime.finishDrain = orphans => {
      cancel()
      resolve(orphans)
    }
    if (behaviour.drain === undefined) cancelTimers(live.effects)
    else {
      runtime.tally.sent += 1
      runtime.inbox.push({ body: behaviour.drain, ticket: null, enqueuedMs: core.clock.monotonicMs() })
    }
    settleActor(runtime)
  })
}
