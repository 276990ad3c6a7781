import type { HostClocks } from '#src/domain/fleet/fleet-state.js'
import type { KernelClock } from '#src/kernel/time/clock.js'

/** A time, in virtual milliseconds: `toMs` is no part of it. */
export interface TimeSpan {
  readonly fromMs: number
  readonly toMs: number
}

/** A stop (SIGSTOP) holds the process alone; a sleep also holds the monotonic clock and the network of the machine. */
export interface Pause extends TimeSpan {
  readonly isSleep: boolean
}

export const isDuring = ({ fromMs, toMs }: TimeSpan, atMs: number): boolean => fromMs <= atMs && atMs < toMs

/** What the clocks and timers of one host show of the virtual time of the world. */
export interface HostTime {
  /** The clock of the host: its timers fire when the host runs again. */
  readonly clock: KernelClock
  readonly read: (pauses: number) => HostClocks
  /** When the host handles what comes at this moment. */
  readonly wakeMs: (atMs: number) => number
  readonly isAsleep: (atMs: number) => boolean
  /** When a timer of the host fires that is set now. */
  readonly dueMs: (delayMs: number) => number
}

export const hostTime = (
  world: KernelClock,
  pauses: ReadonlyArray<Pause>,
  wallOffsetMs: number,
): HostTime => {
  const sleeps = pauses.filter(({ isSleep }) => isSleep)
  const sleptMs = (atMs: number): number =>
    sleeps.reduce((sum, { fromMs, toMs }) => sum + Math.max(0, Math.min(atMs, toMs) - fromMs), 0)
  const wakeMs = (atMs: number): number => pauses.find(pause => isDuring(pause, atMs))?.toMs ?? atMs
  const monotonicMs = (): number => world.monotonicMs() - sleptMs(world.monotonicMs())
  const dueMs = (delayMs: number): number => {
    const nowMs = world.monotonicMs()
    let atMs = nowMs + Math.max(0, delayMs)
    for (const { fromMs, toMs } of sleeps) if (fromMs >= nowMs && fromMs < atMs) atMs += toMs - fromMs
    return wakeMs(atMs)
  }
  return {
    clock: {
      nowMs: () => world.nowMs() + wallOffsetMs,
      monotonicMs,
      after: (delayMs, run) => world.after(dueMs(delayMs) - world.monotonicMs(), run),
    },
    read: found => ({
      monotonicMs: monotonicMs(),
      wallMs: world.nowMs() + wallOffsetMs,
      uptimeMs: world.monotonicMs(),
      pauses: found,
    }),
    wakeMs,
    isAsleep: atMs => sleeps.some(sleep => isDuring(sleep, atMs)),
    dueMs,
  }
}
