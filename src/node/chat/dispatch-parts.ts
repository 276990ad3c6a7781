import { type DispatchQueuePorts, enactKeyed, type TickRules } from '#actors/dispatch-queue.js'
import { type DispatchAttempt, type DispatchOutcome, dispatchKinds } from '#protocol/chat/dispatch.js'
import type { Config } from '#protocol/config.js'
import { sqliteCode } from '#src/adapters/runtime/sqlite.js'
import { gateRefusal } from '#src/domain/admin/gate-arms.js'
import { answerQuery } from '#src/domain/dispatch/answer-query.js'
import { readQuery } from '#src/domain/dispatch/check-dispatch.js'
import { puGroundAt } from '#src/http/handlers/cast.js'
import { tell } from '#src/kernel/actor/ref.js'
import type { FindEffect } from '#src/ports/chat.js'
import type { Meter } from '#src/ports/records.js'
import { charactersAt } from '#src/snapshot/own-scope-at.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { tickMeter } from '../records/tick-meter.js'
import type { NodeParts } from '../tree/node-parts.js'
import { dispatchDesk } from './dispatch-desk.js'
import { silenceBefore } from './wake-bell.js'

export const tickRules = (config: Config): TickRules => ({
  attemptsMax: Math.max(1, config['integrations.chat.dispatch.max_per_tick']),
  budgetMs: config['integrations.chat.dispatch.tick_budget_ms'],
})

/** Answers a query by the snapshot that is current now, with the rights that its account has there. */
const enactQuery = (
  { vars }: DispatchAttempt,
  snapshot: Snapshot | null,
  canRegister: boolean,
): DispatchOutcome => {
  if (snapshot === null) return { _tag: 'Held', reason: 'the lore is not read yet' }
  const query = readQuery(vars)
  if (query === null) return { _tag: 'Failed', reason: 'the recorded variables are no query' }
  const { text, refused } = answerQuery(
    {
      identity: snapshot,
      lore: snapshot,
      characters: charactersAt(snapshot),
      points: puGroundAt(snapshot),
      canRegister,
    },
    query,
  )
  return refused === null
    ? { _tag: 'Enacted', answer: text }
    : { _tag: 'Refused', reason: refused, answer: text }
}

/** Begins the counters of ends at 0, so that a rate sees the first interaction that ends. */
const beginCounters = (meter: Meter): void => {
  for (const kind of dispatchKinds)
    for (const result of ['enacted', 'failed', 'refused'])
      meter.count('svc_dispatch_enactments_total', { kind, result }, 0)
}

/** The ports of the dispatch queue on this host. */
export const dispatchQueuePorts = (parts: NodeParts): DispatchQueuePorts => {
  const { checkout, config, dispatch, gate, log, metrics, snapshot, tree } = parts
  const { enactor, nowMs, bell, answerBell } = dispatch
  const { dispatches } = checkout.runtime
  const findEffect: FindEffect = async (id, ...limits) => {
    const found = await dispatch.findEffect(id, ...limits)
    if (found._tag === 'Found') log.info('dispatch_effect_found', { id, commit: found.commit })
    return found
  }
  const canRegister = config['integrations.chat.guild_id'] !== ''
  beginCounters(metrics.meter)
  const keyed =
    enactor === null
      ? null
      : { enactor, findEffect, nowMs, findClosedArm: () => gateRefusal(gate(), false)?._tag ?? null }
  return {
    store: { ...dispatches, begin: silenceBefore(bell, dispatches.begin) },
    groupCommit: checkout.runtime.groupCommit,
    nowMs,
    chance: Math.random,
    attemptsMax: Math.max(1, config['integrations.chat.dispatch.max_attempts']),
    diskCodeOf: sqliteCode,
    ticked: tickMeter(metrics.meter, 'dispatch', config['integrations.chat.dispatch.tick_budget_ms']),
    refused: code => log.error('dispatch_disk_refused', { code }),
    enact: async (attempt, budgetMs, signal) => {
      if (attempt.kind === 'query') return enactQuery(attempt, snapshot(), canRegister)
      return keyed === null
        ? { _tag: 'Failed', reason: 'enactor absent on this host' }
        : enactKeyed(keyed, attempt, budgetMs, signal)
    },
    ended: (id, kind, attempts, { state, reason }) => {
      metrics.meter.count('svc_dispatch_enactments_total', { kind, result: state })
      if (attempts !== null) metrics.meter.observe('svc_dispatch_attempts', { kind }, attempts)
      if (state === 'failed') log.error('dispatch_failed', { id, kind, reason })
      if (state === 'refused') log.info('dispatch_refused', { id, kind, reason })
      answerBell.ring(() => tell(tree.doors.followUps, { _tag: 'Wake' }) === 'accepted')
    },
  }
}

/** The row of dispatches on this host. */
export const interactionDeps = ({ checkout, config, dispatch, metrics, tree }: NodeParts) => ({
  interactions: dispatchDesk({
    rules: {
      windowMs: config['integrations.chat.dispatch.window_ms'],
      nearDeadlineMs: config['integrations.chat.dispatch.near_deadline_ms'],
    },
    skewAlertMs: config['integrations.chat.dispatch.skew_alert_ms'],
    clientId: config['integrations.chat.client_id'],
    store: checkout.runtime.dispatches,
    groupCommit: checkout.runtime.groupCommit,
    seal: dispatch.seal.seal,
    canEnact: kind => kind === 'query' || dispatch.enactor?.kinds.has(kind) === true,
    wake: () => dispatch.bell.ring(() => tell(tree.doors.dispatches, { _tag: 'Wake' }) === 'accepted'),
    queueNowMs: dispatch.nowMs,
    meter: metrics.meter,
  }),
})
