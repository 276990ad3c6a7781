import type { Clock } from '#src/ports/clock.js'

/**
 * A clock in whole milliseconds that begins at the wall time of this call and then follows the monotonic clock, so
 * that a step of the wall clock neither shortens nor lengthens what is measured by it (L4).
 */
export const queueClock = ({ nowMs, monotonicMs }: Clock): (() => number) => {
  const [startMs, startMonotonicMs] = [nowMs(), monotonicMs()]
  return () => Math.floor(startMs + monotonicMs() - startMonotonicMs)
}
