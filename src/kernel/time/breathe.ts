import { nextLoopTurn } from './loop-turn.js'

/**
 * Yields to the event loop once `sliceMs` have passed since the last yield; otherwise it costs one clock
 * reading.
 */
export const breather = (monotonicMs: () => number, sliceMs = 10): (() => Promise<void>) => {
  let sinceMs = monotonicMs()
  return async () => {
    if (monotonicMs() - sinceMs < sliceMs) return
    await nextLoopTurn()
    sinceMs = monotonicMs()
  }
}
