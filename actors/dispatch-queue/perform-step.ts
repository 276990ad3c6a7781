import type { DispatchAttempt, DispatchEnd, DispatchKind, DispatchOutcome } from '#protocol/chat/dispatch.js'
import { dispatchAttemptMsMax } from '#src/domain/dispatch/check-dispatch.js'
import { failedAnswer, findCutOff, settleAttempt } from '#src/domain/dispatch/settle-attempt.js'
import type { DispatchStore, GroupCommit } from '#src/ports/records.js'
import type { SettledDispatch } from './messages.js'

export interface StepPorts {
  readonly store: Pick<
    DispatchStore,
    'begin' | 'defer' | 'end' | 'expire' | 'nextMs' | 'prune' | 'recover' | 'releaseHeld'
  >
  readonly groupCommit: GroupCommit
  /** Carries out an attempt within `budgetMs`, its fetch included. A rejection counts as a failure. */
  readonly enact: (
    attempt: DispatchAttempt,
    budgetMs: number,
    signal: AbortSignal,
  ) => Promise<DispatchOutcome>
  /** The clock of the queue. */
  readonly nowMs: () => number
  readonly chance: () => number
  readonly attemptsMax: number
  /** Called when an interaction has ended, for metrics, the log and the courier of answers. */
  readonly ended: (id: string, kind: DispatchKind, attempts: number | null, end: DispatchEnd) => void
  /** The code of a disk that refuses; null for any other error. */
  readonly diskCodeOf: (error: unknown) => string | null
}

/** How a step ended: with an attempt, or with the time until the next one is due; null where none waits. */
export type StepOutcome =
  | { readonly _tag: 'Attempted'; readonly settled: SettledDispatch }
  | { readonly _tag: 'NoneDue'; readonly inMs: number | null }

const enactWithin = async (
  ports: StepPorts,
  attempt: DispatchAttempt,
  signal: AbortSignal,
): Promise<DispatchOutcome> => {
  try {
    return await ports.enact(attempt, dispatchAttemptMsMax, signal)
  } catch (error) {
    return { _tag: 'Failed', reason: error instanceof Error ? error.message : String(error) }
  }
}

const lateReason = 'the queue did not reach it in time'
const lateEnd: DispatchEnd = { state: 'failed', reason: lateReason, answer: failedAnswer }

/** Records what follows from an attempt. Returns the end of its interaction; null where it goes on. */
const recordSettled = (
  { store, nowMs }: StepPorts,
  { attempt, settlement }: SettledDispatch,
): DispatchEnd | null => {
  if (settlement._tag === 'End') return store.end(attempt, settlement.end, nowMs()) ? settlement.end : null
  store.defer(attempt, settlement.dueMs, settlement.isCounted, settlement.reason)
  return null
}

const recordAll = (ports: StepPorts, settled: SettledDispatch | null, isBeginning: boolean) => {
  const { store, nowMs } = ports
  const end = settled === null ? null : recordSettled(ports, settled)
  const late = store.expire(nowMs(), lateReason, failedAnswer)
  store.prune(nowMs())
  const attempt = isBeginning ? store.begin(nowMs()) : null
  return { end, late, attempt, nextMs: attempt === null ? store.nextMs() : null }
}

/**
 * Records the last attempt, ends what is too late, forgets what ended a day ago, and begins the interaction that has
 * been due longest, all in one transaction. It returns the interaction that it began, or when the next is due.
 */
const commitStep = async (ports: StepPorts, settled: SettledDispatch | null, isBeginning: boolean) => {
  const { end, late, attempt, nextMs } = await ports.groupCommit(() => recordAll(ports, settled, isBeginning))
  if (settled !== null && end !== null) {
    const { id, kind, attempt: count } = settled.attempt
    ports.ended(id, kind, count, end)
  }
  for (const { id, kind } of late) ports.ended(id, kind, null, lateEnd)
  return { attempt, nextMs }
}

/** Records the last attempt and begins no other. */
export const recordLast = async (ports: StepPorts, settled: SettledDispatch): Promise<void> => {
  await commitStep(ports, settled, false)
}

/**
 * Records the last attempt together with the begin of the next one, and carries that out. What follows from it is on
 * record behind the next step: a host that ends before repeats the attempt.
 */
export const performStep = async (
  ports: StepPorts,
  last: SettledDispatch | null,
  signal: AbortSignal,
): Promise<StepOutcome> => {
  const { nowMs, chance, attemptsMax } = ports
  const { attempt, nextMs } = await commitStep(ports, last, true)
  if (attempt === null)
    return { _tag: 'NoneDue', inMs: nextMs === null ? null : Math.max(0, nextMs - nowMs()) }
  const { vars: _, ...run } = attempt
  const cutOff = findCutOff(attempt, attemptsMax)
  if (cutOff !== null)
    return { _tag: 'Attempted', settled: { attempt: run, settlement: { _tag: 'End', end: cutOff } } }
  const outcome = await enactWithin(ports, attempt, signal)
  const settlement = settleAttempt(attempt, outcome, { attemptsMax, nowMs: nowMs(), chance: chance() })
  return { _tag: 'Attempted', settled: { attempt: run, settlement } }
}
