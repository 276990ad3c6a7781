import type { HostClocks } from '#src/domain/fleet/fleet-state.js'
import type { KernelClock } from '#src/kernel/time/clock.js'
import type { VirtualClock } from '#test/support/kernel/virtual-clock.js'

/** The clocks of one machine over the virtual time of the world. */
export interface HostClock extends KernelClock {
  /** Time since the machine started, its sleep included. */
  readonly uptimeMs: () => number
  readonly readClocks: (pauses: number) => HostClocks
  /** Sets the wall clock forward or back. */
  readonly step: (ms: number) => void
  /** Stops the process, as SIGSTOP does: its clocks run on. Returns the function that lets it go on. */
  readonly freeze: () => () => void
  /** Puts the machine to sleep: its monotonic clock stands still too. Returns the function that wakes it. */
  readonly sleep: () => () => void
  readonly isStopped: () => boolean
  /** How long the host was neither stopped nor asleep. */
  readonly ranMs: () => number
  /** The process ended: none of its timers fires any more. */
  readonly forget: () => void
}

interface Timer {
  readonly dueMs: number
  readonly life: number
  readonly run: () => void
  live: boolean
}

export interface HostClockSetup {
  readonly time: VirtualClock
  /** How fast the clocks of this machine run. */
  readonly rate: number
  /** Called before each timer of the host runs. */
  readonly onRun: () => void
}

/** Below this a timer counts as due. */
const slackMs = 0.5

export const openHostClock = ({ time, rate, onRun }: HostClockSetup): HostClock => {
  let [steppedMs, sleptMs, sleeps, stops, life] = [0, 0, 0, 0, 0]
  let [asleepSinceMs, stoppedMs, stoppedSinceMs] = [0, 0, 0]
  let waiting: ReadonlyArray<Timer> = []
  const sleptSoFarMs = (): number => sleptMs + (sleeps > 0 ? time.monotonicMs() - asleepSinceMs : 0)
  const uptimeMs = (): number => time.monotonicMs() * rate
  const monotonicMs = (): number => (time.monotonicMs() - sleptSoFarMs()) * rate
  const firstWallMs = time.nowMs()
  const nowMs = (): number => Math.round(firstWallMs + uptimeMs() + steppedMs)
  const fire = (timer: Timer): void => {
    if (!timer.live || timer.life !== life) return
    if (stops > 0) waiting = [...waiting, timer]
    else if (timer.dueMs - monotonicMs() > slackMs) arm(timer)
    else {
      timer.live = false
      onRun()
      timer.run()
    }
  }
  const arm = (timer: Timer): void =>
    void time.after(Math.max(0, timer.dueMs - monotonicMs()) / rate, () => fire(timer))
  const goOn = (): void => {
    stops -= 1
    if (stops > 0) return
    stoppedMs += time.monotonicMs() - stoppedSinceMs
    const late = waiting
    waiting = []
    for (const timer of late) arm(timer)
  }
  const wake = (): void => {
    sleeps -= 1
    if (sleeps === 0) sleptMs += time.monotonicMs() - asleepSinceMs
    goOn()
  }
  const stop = (): void => {
    if (stops === 0) stoppedSinceMs = time.monotonicMs()
    stops += 1
  }
  return {
    nowMs,
    monotonicMs,
    uptimeMs,
    readClocks: pauses => ({ monotonicMs: monotonicMs(), wallMs: nowMs(), uptimeMs: uptimeMs(), pauses }),
    after: (delayMs, run) => {
      const timer: Timer = { dueMs: monotonicMs() + Math.max(0, delayMs), life, run, live: true }
      arm(timer)
      return () => {
        timer.live = false
      }
    },
    step: ms => {
      steppedMs += ms
    },
    freeze: () => {
      stop()
      return goOn
    },
    sleep: () => {
      if (sleeps === 0) asleepSinceMs = time.monotonicMs()
      sleeps += 1
      stop()
      return wake
    },
    isStopped: () => stops > 0,
    ranMs: () => time.monotonicMs() - stoppedMs - (stops > 0 ? time.monotonicMs() - stoppedSinceMs : 0),
    forget: () => {
      life += 1
      waiting = []
    },
  }
}
