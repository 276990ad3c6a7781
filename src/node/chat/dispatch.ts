import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type DispatchQueuePorts, enactKeyed, type TickRules } from '#actors/chat/dispatch-queue.js'
import { type AnswerPorts, type FollowUpPorts, openAnswerCalls } from '#actors/chat/follow-up-courier.js'
import {
  type DispatchAttempt,
  type DispatchKind,
  type DispatchOutcome,
  dispatchKinds,
} from '#protocol/chat/dispatch.js'
import type { Config } from '#protocol/host/config.js'
import { errorOf, type RefusalOf, refuse } from '#protocol/refusal.js'
import { chatHttp } from '#src/adapters/outbound/chat-http.js'
import { sqliteCode } from '#src/adapters/runtime/sqlite.js'
import { gateRefusal } from '#src/domain/admin/gate-arms.js'
import { answerQuery, splitAnswerTarget } from '#src/domain/dispatch/answer-query.js'
import {
  ageOf,
  checkDispatch,
  type DispatchRefusal,
  type DispatchRules,
  readQuery,
  varsOnRecord,
  waitingDispatchesMax,
} from '#src/domain/dispatch/check-dispatch.js'
import { labelCode, safeBase } from '#src/domain/outbound/outbound.js'
import { tell } from '#src/kernel/actor/ref.js'
import { tellWhenRoom } from '#src/kernel/actor/tell-when-room.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { FindEffect, Interactions, ReceivedDispatch } from '#src/ports/chat.js'
import type { DispatchStore, GroupCommit, Meter } from '#src/ports/records.js'
import { queryGroundAt } from '#src/snapshot/own-scope-at.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { chatUserAgent } from '../package-files.js'
import { tickMeter } from '../records/records.js'
import { reasonOf } from '../start/environment.js'
import type { HostNode } from '../tree/node.js'
import { clearBefore } from './chat.js'
import type { ReplySeal } from './interactions.js'

/** Decides dispatches and records the accepted ones. An interaction is on the disk before the answer (F1, S20). */
export const openInteractions = (setup: InteractionSources): Interactions => {
  const { rules, skewAlertMs, store, canEnact, wake, meter } = setup
  const isFull = openIsFull(store)
  const countRequest = (kind: string, result: string): void =>
    meter.count('svc_dispatch_requests_total', { kind, result })
  const decide = ({ wanted, nowMs, findClosedArm }: ReceivedDispatch) =>
    checkDispatch(
      wanted,
      {
        nowMs,
        findKnown: () => store.findKind(wanted.interactionId),
        findClosedArm,
        isFull,
        canEnact,
      },
      rules,
    )
  const observeAge = (ageMs: number, kind: DispatchKind): void => {
    meter.observe('svc_dispatch_receipt_lag_seconds', { kind }, Math.max(0, ageMs) / 1_000)
    if (-ageMs > skewAlertMs) meter.count('svc_dispatch_clock_skew_alerts_total', {})
  }
  /** The rows that are being written, by the id of their interaction. */
  const underWay = new Map<string, Promise<unknown>>()
  const recordOnce = (wanted: ReceivedDispatch['wanted'], kind: DispatchKind) => {
    const recording = recordDispatch(setup, wanted, kind)
    underWay.set(wanted.interactionId, recording)
    return recording.finally(() => underWay.delete(wanted.interactionId))
  }
  return {
    rules,
    counts: store.counts,
    receive: async received => {
      const { wanted, nowMs, dryRun } = received
      const { interactionId: id } = wanted
      // A copy is a duplicate of what is on disk: it waits for the row that is being written.
      for (let copy = underWay.get(id); copy !== undefined; copy = underWay.get(id)) await copy
      const decision = decide(received)
      if (decision._tag === 'Refused') {
        const { refusal } = decision
        if (!dryRun) countRequest(kindOf(refusal), results[refusal._tag])
        return left(refusal)
      }
      const { kind } = decision
      if (dryRun || decision._tag === 'Duplicate') {
        if (!dryRun) countRequest(kind, 'duplicate')
        return right({ kind, duplicate: decision._tag === 'Duplicate' })
      }
      const recorded = await recordOnce(wanted, kind)
      if (isLeft(recorded)) {
        countRequest(kind, 'disk_refused')
        return recorded
      }
      countRequest(kind, recorded.right ? 'accepted' : 'duplicate')
      observeAge(ageOf(wanted, nowMs), kind)
      wake()
      return right({ kind, duplicate: !recorded.right })
    },
  }
}

export const tickRules = (config: Config): TickRules => ({
  attemptsMax: Math.max(1, config['integrations.chat.dispatch.max_per_tick']),
  budgetMs: config['integrations.chat.dispatch.tick_budget_ms'],
})

/** The ports of the dispatch queue on this host. */
export const dispatchQueuePorts = (node: HostNode): DispatchQueuePorts => {
  const { checkout, config, dispatch, gate, log, metrics, snapshot, refs } = node
  const { enactor, nowMs, wakeSignal, answerSignal } = dispatch
  const { dispatches } = checkout.runtime
  const findEffect: FindEffect = async (id, ...limits) => {
    const found = await dispatch.findEffect(id, ...limits)
    if (found._tag === 'Found') log.info('dispatch_effect_found', { id, commit: found.commit })
    return found
  }
  beginCounters(metrics.meter)
  const keyed =
    enactor === null
      ? null
      : { enactor, findEffect, nowMs, findClosedArm: () => gateRefusal(gate(), false)?._tag ?? null }
  return {
    store: { ...dispatches, begin: clearBefore(wakeSignal, dispatches.begin) },
    groupCommit: checkout.runtime.groupCommit,
    nowMs,
    chance: Math.random,
    attemptsMax: Math.max(1, config['integrations.chat.dispatch.max_attempts']),
    diskCodeOf: sqliteCode,
    ticked: tickMeter(metrics.meter, 'dispatch', config['integrations.chat.dispatch.tick_budget_ms']),
    refused: code => log.error('dispatch_disk_refused', { code }),
    enact: async (attempt, budgetMs, signal) => {
      if (attempt.kind === 'query') return enactQuery(attempt, snapshot())
      return keyed === null
        ? { _tag: 'Failed', reason: 'enactor absent on this host' }
        : enactKeyed(keyed, attempt, budgetMs, signal)
    },
    ended: (id, kind, attempts, { state, reason }) => {
      metrics.meter.count('svc_dispatch_enactments_total', { kind, result: state })
      if (attempts !== null) metrics.meter.observe('svc_dispatch_attempts', { kind }, attempts)
      if (state === 'failed') log.error('dispatch_failed', { id, kind, reason })
      if (state === 'refused') log.info('dispatch_refused', { id, kind, reason })
      answerSignal.raise(() => tell(refs.followUps, { _tag: 'Wake' }) === 'accepted')
    },
  }
}

/** The row of dispatches on this host. */
export const interactionsOf = ({ checkout, config, dispatch, metrics, refs }: HostNode): Interactions =>
  openInteractions({
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
    wake: () => dispatch.wakeSignal.raise(() => tell(refs.dispatches, { _tag: 'Wake' }) === 'accepted'),
    queueNowMs: dispatch.nowMs,
    meter: metrics.meter,
  })

/** The ports of the follow-up courier on this host. */
export const followUpPorts = (node: Sources): FollowUpPorts => {
  const { checkout, dispatch, log, metrics, refs } = node
  const { dispatches } = checkout.runtime
  const calls = openAnswerCalls({
    store: { ...dispatches, owed: clearBefore(dispatch.answerSignal, dispatches.owed) },
    groupCommit: checkout.runtime.groupCommit,
    call: answerCall(node),
    openTarget: dispatch.seal.open,
    queueNowMs: dispatch.nowMs,
    nowMs: realClock.nowMs,
    sent: ({ kind }) => metrics.meter.count('svc_dispatch_answers_total', { kind, result: 'sent' }),
    failed: ({ id, kind }, { why, status, code }) => {
      metrics.meter.count('svc_dispatch_answers_total', { kind, result: why })
      log.warn('follow_up_failed', { id, kind, why, status, code })
    },
    unrecorded: error => log.error('follow_up_unrecorded', { reason: reasonOf(error) }),
    tell: heard => tellWhenRoom(refs.followUps, { _tag: 'Heard', heard }, realClock),
  })
  return {
    calls,
    diskCodeOf: sqliteCode,
    refused: code => log.error('follow_up_disk_refused', { code }),
  }
}

interface InteractionSources {
  readonly rules: DispatchRules
  readonly skewAlertMs: number
  /** The application whose interactions carry no id of their own. */
  readonly clientId: string
  readonly store: Pick<DispatchStore, 'counts' | 'enqueue' | 'findKind' | 'waiting'>
  readonly groupCommit: GroupCommit
  readonly seal: ReplySeal['seal']
  readonly canEnact: (kind: DispatchKind) => boolean
  /** Tells the queue that an interaction waits. */
  readonly wake: () => void
  /** The clock of the queue. */
  readonly queueNowMs: () => number
  readonly meter: Pick<Meter, 'count' | 'observe'>
}

const results: Readonly<Record<DispatchRefusal['_tag'], string>> = {
  Undispatchable: 'not_dispatchable',
  EnactorAbsent: 'not_dispatchable',
  Stale: 'stale',
  Late: 'late',
  Gated: 'gated',
  Full: 'overloaded',
}

const kindOf = (refusal: DispatchRefusal): DispatchKind | 'none' => {
  if (refusal._tag !== 'Undispatchable') return refusal.kind
  return refusal.reading._tag === 'VarsMissing' ? refusal.reading.kind : 'none'
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unreadable'

/** Records an accepted interaction. Left where the disk refuses; the worker must not take it for accepted. */
const recordDispatch = async (
  { store, groupCommit, seal, clientId, queueNowMs }: InteractionSources,
  { interactionId: id, vars }: ReceivedDispatch['wanted'],
  kind: DispatchKind,
): Promise<Either<RefusalOf<'DiskRefused'>, boolean>> => {
  const { target, rest } = splitAnswerTarget(vars, clientId)
  try {
    const sealedReply = target === null ? null : seal(id, target)
    const row = { id, kind, vars: varsOnRecord(kind, rest), sealedReply }
    return right(await groupCommit(() => store.enqueue(row, queueNowMs())))
  } catch (error) {
    const detail = `The interaction could not be recorded (${codeOf(error)}), so it is not enacted here.`
    return left(refuse('DiskRefused', `${detail} Fix the disk of this host, then try again.`))
  }
}

/**
 * Returns whether the queue is full. It counts the waiting rows, lets in as many interactions as there was room for,
 * and only then counts again.
 */
const openIsFull = ({ waiting }: InteractionSources['store']): (() => boolean) => {
  let room = 0
  return () => {
    if (room <= 0) room = waitingDispatchesMax - waiting()
    if (room <= 0) return true
    room -= 1
    return false
  }
}

/** Answers a query by the snapshot that is current now, with the rights that its account has there. */
const enactQuery = ({ vars }: DispatchAttempt, snapshot: Snapshot | null): DispatchOutcome => {
  if (snapshot === null) return { _tag: 'Held', reason: 'the lore is not read yet' }
  const query = readQuery(vars)
  if (query === null) return { _tag: 'Failed', reason: 'the recorded variables are no query' }
  const answer = answerQuery(queryGroundAt(snapshot), query)
  return isLeft(answer)
    ? { _tag: 'Refused', reason: errorOf(answer.left._tag), answer: answer.left.detail }
    : { _tag: 'Enacted', answer: answer.right }
}

/** Begins the counters of ends at 0, so that a rate sees the first interaction that ends. */
const beginCounters = (meter: Meter): void => {
  for (const kind of dispatchKinds)
    for (const result of ['enacted', 'failed', 'refused'])
      meter.count('svc_dispatch_enactments_total', { kind, result }, 0)
}

type Sources = Pick<HostNode, 'checkout' | 'config' | 'dispatch' | 'log' | 'metrics' | 'refs' | 'version'>

/** The calls that send answers: without a bot token, and none where the chat is off or has no address. */
const answerCall = ({ config, metrics, version }: Sources): AnswerPorts['call'] => {
  const base = safeBase(config['integrations.chat.api_url'])
  if (base === null || !config['integrations.chat.enabled']) return null
  const call = chatHttp({ base, token: null, userAgent: chatUserAgent(version) })
  return async (...args) => {
    const heard = await call(...args)
    const code = heard._tag === 'Answer' ? labelCode(heard.status) : heard.reason
    metrics.meter.count('svc_outbound_requests_total', { target: 'chat', code })
    return heard
  }
}
