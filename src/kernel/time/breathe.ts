import { nextLoopTurn } from './loop-turn.js'

/** Lets the event loop turn once a slice of time is used up; costs one clock reading otherwise. */
export const breather = (monotonicMs: () => number, sliceMs = 10): (() => Promise<void>) => {
  let sinceMs = monotonicMs()
  return async () => {
    if (monotonicMs() - sinceMs < sliceMs) return
    await nextLoopTurn()
    sinceMs = monotonicMs()
  }
}
