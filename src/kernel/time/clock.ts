import { performance } from 'node:perf_hooks'

/** Cancels what was scheduled; a second call does nothing. */
export type Cancel = () => void

/** The only source of time. `after` runs once; the kernel turns it into messages (`after` effects). */
export interface KernelClock {
  /** Wall time, milliseconds since the epoch. May jump. */
  readonly nowMs: () => number
  /** Never goes back; in milliseconds with fractions. For ages and durations. */
  readonly monotonicMs: () => number
  readonly after: (delayMs: number, run: () => void) => Cancel
}

/** `setTimeout` counts in 31 bits: it would fire a longer delay at once. */
const timeoutMsMax = 2_147_483_647

const realAfter = (delayMs: number, run: () => void): Cancel => {
  const dueMs = performance.now() + delayMs
  let timer: NodeJS.Timeout
  const arm = (restMs: number): void => {
    timer = setTimeout(
      () => {
        const leftMs = dueMs - performance.now()
        if (leftMs > 1 && restMs > timeoutMsMax) arm(leftMs)
        else run()
      },
      Math.min(Math.max(restMs, 0), timeoutMsMax),
    )
  }
  arm(delayMs)
  return () => clearTimeout(timer)
}

export const realClock: KernelClock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: realAfter,
}
