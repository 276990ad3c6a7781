import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { DispatchKind } from '#protocol/chat/dispatch.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { splitAnswerTarget } from '#src/domain/dispatch/answer-query.js'
import {
  ageOf,
  checkDispatch,
  type DispatchRefusal,
  type DispatchRules,
  varsOnRecord,
  waitingDispatchesMax,
} from '#src/domain/dispatch/check-dispatch.js'
import type { InteractionDeps, ReceivedDispatch } from '#src/http/handlers/chat.js'
import type { DispatchStore, GroupCommit, Meter } from '#src/ports/records.js'
import type { ReplySeal } from './reply-seal.js'

export interface DispatchDeskSetup {
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
  { store, groupCommit, seal, clientId, queueNowMs }: DispatchDeskSetup,
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
const openIsFull = ({ waiting }: DispatchDeskSetup['store']): (() => boolean) => {
  let room = 0
  return () => {
    if (room <= 0) room = waitingDispatchesMax - waiting()
    if (room <= 0) return true
    room -= 1
    return false
  }
}

/** Decides dispatches and records the accepted ones. An interaction is on the disk before the answer (F1, S20). */
export const dispatchDesk = (setup: DispatchDeskSetup): InteractionDeps['interactions'] => {
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
