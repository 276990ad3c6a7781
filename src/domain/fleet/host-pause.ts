/** The clocks of this host at one moment. */
export interface HostClocks {
  /** Stands still while the machine sleeps. */
  readonly monotonicMs: number
  /** Runs on while the machine sleeps, and may be set. */
  readonly wallMs: number
  /** Time since the machine started, its sleep included; in steps of a second on some systems. */
  readonly uptimeMs: number
  /** Pauses of this host that any watcher has found since the start. */
  readonly pauses: number
}

/** A pause of this host that has just ended. */
export interface HostPause {
  /** How much longer than the timer asked the host was away. */
  readonly pauseMs: number
  /** The part of it that the monotonic clock does not show. */
  readonly sleepMs: number
}

/** Below this a late timer is the load of the machine. */
const lateMsLeast = 500
/** Below this two clocks differ by their steps and their corrections. */
const apartMsLeast = 2_000

/**
 * Whether this host was paused between two readings, the second of which was due after `dueMs`: the timer came
 * late by half an interval (a stopped process), or the monotonic clock, the wall clock and the uptime moved
 * apart (a machine that slept, or a clock that was set). Null where it was not. A clock that was set does not
 * count as sleep.
 */
export const findPause = (
  before: HostClocks,
  now: HostClocks,
  dueMs: number,
  intervalMs: number,
): HostPause | null => {
  const monotonicMs = now.monotonicMs - before.monotonicMs
  const lateMs = monotonicMs - dueMs
  const sleepMs = now.uptimeMs - before.uptimeMs - monotonicMs
  const stepMs = now.wallMs - before.wallMs - monotonicMs
  const apartMsMost = Math.max(apartMsLeast, intervalMs / 2)
  const isAsleep = sleepMs > apartMsMost
  const isApart = isAsleep || Math.abs(stepMs) > apartMsMost || Math.abs(stepMs - sleepMs) > apartMsMost
  if (lateMs <= Math.max(lateMsLeast, intervalMs / 2) && !isApart) return null
  const sleptMs = isAsleep ? sleepMs : 0
  return { pauseMs: Math.max(0, lateMs) + sleptMs, sleepMs: sleptMs }
}
