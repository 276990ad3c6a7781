import { uptime } from 'node:os'
import type { HostClocks } from '#src/domain/fleet/host-pause.js'
import { realClock } from '#src/kernel/time/clock.js'

/** Reads the clocks of this host. */
export const readClocks = (pauses = 0): HostClocks => ({
  monotonicMs: realClock.monotonicMs(),
  wallMs: realClock.nowMs(),
  uptimeMs: uptime() * 1_000,
  pauses,
})

/** Below this the uptime and the monotonic clock differ by their steps. */
const sleepMsLeast = 2_000
/** How long a reading of the uptime is used. */
const freshMs = 1_000

type SleepClocks = Pick<HostClocks, 'monotonicMs' | 'uptimeMs'>

/**
 * Returns how long the machine has slept since this function was made. The monotonic clock does not count that
 * time, so ages that must count it add it. Reads the uptime at most once a second.
 */
export const sleepMeter = (
  monotonicMs: () => number = realClock.monotonicMs,
  uptimeMs: () => number = () => uptime() * 1_000,
): (() => number) => {
  const first: SleepClocks = { monotonicMs: monotonicMs(), uptimeMs: uptimeMs() }
  let [sleptMs, readAtMs] = [0, first.monotonicMs]
  return () => {
    const nowMs = monotonicMs()
    if (nowMs - readAtMs < freshMs) return sleptMs
    readAtMs = nowMs
    const apartMs = uptimeMs() - first.uptimeMs - (nowMs - first.monotonicMs)
    sleptMs = Math.max(sleptMs, apartMs > sleepMsLeast ? apartMs : 0)
    return sleptMs
  }
}
