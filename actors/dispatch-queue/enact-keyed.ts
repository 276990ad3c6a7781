import type { DispatchAttempt, DispatchOutcome } from '#protocol/chat/dispatch-attempt.js'
import type { Enactor } from '#src/ports/enactor.js'

export interface KeyedPorts {
  /** The arm that closes the write gate; null where it is open. */
  readonly findClosedArm: () => string | null
  readonly enactor: Enactor
  readonly monotonicMs: () => number
}

/**
 * Carries out a close or a report unless the fetched branch has its effect already. While the gate is closed or the
 * branch cannot be read nothing is carried out. The fetch and the enactment share `budgetMs`.
 */
export const enactKeyed = async (
  { findClosedArm, enactor, monotonicMs }: KeyedPorts,
  attempt: DispatchAttempt,
  budgetMs: number,
  signal: AbortSignal,
): Promise<DispatchOutcome> => {
  const arm = findClosedArm()
  if (arm !== null) return { _tag: 'Held', reason: `the write gate is closed: ${arm}` }
  const untilMs = monotonicMs() + budgetMs
  const found = await enactor.findEffect(attempt, budgetMs, signal)
  switch (found._tag) {
    case 'Found':
      return { _tag: 'Enacted', answer: found.answer }
    case 'Unreadable':
      return { _tag: 'Failed', reason: found.reason }
    case 'Absent': {
      const leftMs = untilMs - monotonicMs()
      if (leftMs <= 0) return { _tag: 'Failed', reason: 'the fetch took as long as an attempt may' }
      return enactor.enact(attempt, leftMs, signal)
    }
  }
}
