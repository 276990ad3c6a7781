import type { RestartCause } from '#protocol/host/kernel.js'
import type { Orphans } from '../actor/record.js'
import { countDeadLetter, countDone } from '../actor/tally.js'
import { type EffectWork, haltEffects } from './effect-queue.js'
import { nextPhase, phases } from './phases.js'
import type { ActorRuntime, Incarnation } from './runtime.js'

/**
 * Ends the living incarnation, if there is one: aborts its signal, cancels its timers, fails the asks that it
 * has not answered with `owed`, and counts the messages it was processing as `stale_incarnation`. Keeps the
 * mailbox and the phase. Returns the tags of the effects not carried out.
 */
export const endIncarnation = (runtime: ActorRuntime, owed: 'Faulted' | 'Gone'): ReadonlyArray<string> => {
  const { core, live, tally } = runtime
  const actor = runtime.behaviour.name
  if (live === null) return []
  runtime.live = null
  live.cancelReadiness()
  live.lane.stop()
  const left = haltEffects(live.effects)
  for (const work of live.inHand)
    if (work.message !== null) countDone(core, actor, tally, work.message, 'stale_incarnation')
  live.inHand.clear()
  for (const envelope of runtime.own.takeAll())
    countDone(core, actor, tally, tagOf(envelope.body), 'stale_incarnation')
  if (core.rules.failsOwed) for (const ticket of [...runtime.owed]) ticket.fail({ _tag: owed, actor })
  runtime.owed.clear()
  return left
}

/**
 * Ends an incarnation that threw, was not ready in time or is stuck, and reports to the supervisor, which
 * decides what happens next. `work` is the message it was processing. Does nothing if the incarnation has
 * ended already.
 */
export const failIncarnation = (
  runtime: ActorRuntime,
  live: Incarnation,
  cause: RestartCause,
  error: unknown,
  work: EffectWork | null,
): void => {
  if (runtime.live !== live) return
  const { core, behaviour } = runtime
  core.log({ event: 'fault', actor: behaviour.name, incarnation: live.label, cause, error })
  if (work !== null) quarantine(runtime, live, cause, work)
  endIncarnation(runtime, 'Faulted')
  const next = nextPhase(behaviour.name, runtime.phase, cause === 'stuck' ? 'stall' : 'fault')
  if (next === 'closed') return finishDrain(runtime)
  runtime.phase = next
  core.meter.state(behaviour.name, phases[next].shownAs)
  live.report.faulted(cause, error)
}

/**
 * Ends an incarnation whose actor asked for it with `end`: completes the drain, or reports to the supervisor.
 */
export const endNormally = (runtime: ActorRuntime, live: Incarnation): void => {
  if (runtime.live !== live) return
  const next = nextPhase(runtime.behaviour.name, runtime.phase, 'end')
  if (next === 'closed') return finishDrain(runtime)
  endIncarnation(runtime, 'Gone')
  runtime.phase = next
  live.report.ended()
}

/**
 * Closes the actor: its waiting messages become dead letters, and each waiting asker gets `Gone`. Returns
 * what was left over, if anything.
 */
export const closeActor = (runtime: ActorRuntime): ReadonlyArray<Orphans> => {
  const { core, tally } = runtime
  const actor = runtime.behaviour.name
  if (runtime.phase === 'closed') return []
  const effects = endIncarnation(runtime, 'Gone')
  runtime.phase = nextPhase(actor, runtime.phase, 'close')
  const left = runtime.inbox.takeAll()
  for (const envelope of left) {
    countDeadLetter(core, actor, tally, 'stopped')
    envelope.ticket?.fail({ _tag: 'Gone', actor })
  }
  core.meter.state(actor, phases.closed.shownAs)
  core.meter.backoff(actor, 0)
  core.log({ event: 'stopped', actor })
  if (left.length === 0 && effects.length === 0) return []
  const orphans: Orphans = { actor, waiting: left.length, effects }
  core.log({ event: 'orphaned', orphans })
  return [orphans]
}

/** Closes a draining actor, and resolves the drain with what was left over. */
export const finishDrain = (runtime: ActorRuntime): void => {
  const settle = runtime.finishDrain
  runtime.finishDrain = null
  const orphans = closeActor(runtime)
  settle?.(orphans)
}

const tagOf = (body: unknown): string =>
  typeof body === 'object' && body !== null && '_tag' in body && typeof body._tag === 'string'
    ? body._tag
    : 'unknown'

/** Sets aside the message that faulted the actor (D8). */
const quarantine = (
  runtime: ActorRuntime,
  live: Incarnation,
  cause: RestartCause,
  work: EffectWork,
): void => {
  live.inHand.delete(work)
  if (work.message === null) return
  if (runtime.core.rules.poison === 'redeliver') {
    runtime.inbox.unshift({ body: work.body, ticket: null, enqueuedMs: work.startedMs })
    return
  }
  const result = cause === 'stuck' ? 'timeout' : 'error'
  countDone(runtime.core, runtime.behaviour.name, runtime.tally, work.message, result)
}
