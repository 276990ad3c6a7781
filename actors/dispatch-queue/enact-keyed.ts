import type { DispatchAttempt, DispatchOutcome } from '#protocol/chat/dispatch.js'
import { describeFoundEffect } from '#src/domain/dispatch/descriptions.js'
import type { Enactor, FindEffect } from '#src/ports/chat.js'

export interface KeyedPorts {
  /** The arm that closes the write gate; null where it is open. */
  readonly findClosedArm: () => string | null
  readonly findEffect: FindEffect
  readonly enactor: Pick<Enactor, 'enact'>
  /** The clock of the queue. */
  readonly nowMs: () => number
}

/**
 * Carries out a close or a report unless the fetched branch has its effect already. While the gate is closed
 * or the branch cannot be read nothing is carried out. The look for the effect uses time of the budget.
 */
export const enactKeyed = async (
  { findClosedArm, findEffect, enactor, nowMs }: KeyedPorts,
  attempt: DispatchAttempt,
  budgetMs: number,
  signal: AbortSignal,
): Promise<DispatchOutcome> => {
  const arm = findClosedArm()
  if (arm !== null) return { _tag: 'Held', reason: `the write gate is closed: ${arm}` }
  const startMs = nowMs()
  const found = await findEffect(attempt.id, budgetMs, signal)
  switch (found._tag) {
    case 'Found':
      return { _tag: 'Enacted', answer: describeFoundEffect(attempt.kind) }
    case 'Unreadable':
      return { _tag: 'Failed', reason: found.reason }
    case 'Absent': {
      const restMs = budgetMs - (nowMs() - startMs)
      return restMs > 0
        ? enactor.enact(attempt, restMs, signal)
        : { _tag: 'Failed', reason: 'the look for its effect took all the time of the attempt' }
    }
  }
}
