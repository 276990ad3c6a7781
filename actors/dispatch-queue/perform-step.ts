import type { DispatchKind } from '#protocol/chat/dispatch.js'
import type { DispatchAttempt, DispatchEnd, DispatchOutcome } from '#protocol/chat/dispatch-attempt.js'
import { failedAnswer, findCutOff, settleAttempt } from '#src/domain/dispatch/settle-attempt.js'
import type { DispatchStore } from '#src/ports/records/dispatches.js'

export interface StepPorts {
  readonly store: Pick<DispatchStore, 'begin' | 'defer' | 'end' | 'expire' | 'nextMs' | 'prune' | 'recover'>
  /** Carries out an attempt within `budgetMs`. A rejection counts as a failure. */
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
  | { readonly _tag: 'Attempted' }
  | { readonly _tag: 'NoneDue'; readonly inMs: number | null }

/** The longest attempt. */
const attemptMsMax = 60_000

const enactWithin = async (
  ports: StepPorts,
  attempt: DispatchAttempt,
  signal: AbortSignal,
): Promise<DispatchOutcome> => {
  const budgetMs = Math.min(attemptMsMax, Math.max(0, attempt.deadlineMs - ports.nowMs()))
  try {
    return await ports.enact(attempt, budgetMs, signal)
  } catch (error) {
    return { _tag: 'Failed', reason: error instanceof Error ? error.message : String(error) }
  }
}

const expireLate = ({ store, nowMs, ended }: StepPorts): void => {
  const reason = 'the queue did not reach it in time'
  for (const { id, kind } of store.expire(nowMs(), reason, failedAnswer))
    ended(id, kind, null, { state: 'failed', reason, answer: failedAnswer })
}

/**
 * Ends what is too late, forgets what ended a day ago, and carries out the interaction that has been due longest.
 * Its end is on record when the promise resolves.
 */
export const performStep = async (ports: StepPorts, signal: AbortSignal): Promise<StepOutcome> => {
  const { store, nowMs, chance, attemptsMax, ended } = ports
  expireLate(ports)
  store.prune(nowMs())
  const attempt = store.begin(nowMs())
  if (attempt === null) {
    const nextMs = store.nextMs()
    return { _tag: 'NoneDue', inMs: nextMs === null ? null : Math.max(0, nextMs - nowMs()) }
  }
  const finish = (end: DispatchEnd): void => {
    if (store.end(attempt, end, nowMs())) ended(attempt.id, attempt.kind, attempt.attempt, end)
  }
  const cutOff = findCutOff(attempt, attemptsMax)
  if (cutOff !== null) finish(cutOff)
  else {
    const outcome = await enactWithin(ports, attempt, signal)
    const settled = settleAttempt(attempt, outcome, { attemptsMax, nowMs: nowMs(), chance: chance() })
    if (settled._tag === 'End') finish(settled.end)
    else store.defer(attempt, settled.dueMs, settled.isCounted, settled.reason)
  }
  return { _tag: 'Attempted' }
}
