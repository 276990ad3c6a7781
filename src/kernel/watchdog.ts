import { sendHeartbeat } from './actor-runtime/heartbeat.js'
import type { ActorRuntime } from './actor-runtime/runtime.js'
import type { Cancel, KernelClock } from './time/clock.js'

/**
 * Sends every actor a heartbeat each `heartbeatMs`, until cancelled. A late tick finds late echoes, so it
 * passes its delay on to the actors.
 */
export const startWatchdog = (
  clock: KernelClock,
  heartbeatMs: number,
  actors: () => Iterable<ActorRuntime>,
): Cancel => {
  let cancel: Cancel
  const arm = (): void => {
    const dueMs = clock.monotonicMs() + heartbeatMs
    cancel = clock.after(heartbeatMs, () => {
      const slackMs = Math.max(0, clock.monotonicMs() - dueMs)
      arm()
      for (const actor of actors()) sendHeartbeat(actor, slackMs)
    })
  }
  arm()
  return () => cancel()
}
