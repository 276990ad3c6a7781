import type { ForgeAnswer } from '#protocol/forge.js'
import type { ForgePort } from '#src/ports/forge.js'

/** The wait that an answer asks for, in ms; 0: none. */
const pauseOf = ({ outcome }: ForgeAnswer): number =>
  outcome._tag === 'Limited' || outcome._tag === 'Faulty' ? (outcome.waitMs ?? 0) : 0

/**
 * A port that makes no call while the forge asks for a pause: it returns the answer that asked for it. For callers
 * that do not keep the wait themselves. `monotonicMs` reads the monotonic clock.
 */
export const pauseForge = (port: ForgePort, monotonicMs: () => number): ForgePort => {
  let last: { readonly answer: ForgeAnswer; readonly untilMs: number } | null = null
  return async (...call) => {
    if (last !== null && monotonicMs() < last.untilMs) return last.answer
    const answer = await port(...call)
    const pauseMs = pauseOf(answer)
    last = pauseMs === 0 ? null : { answer, untilMs: monotonicMs() + pauseMs }
    return answer
  }
}
