import { failIncarnation } from './end.js'
import type { ActorRuntime } from './runtime.js'
import { wakeActor } from './turn.js'

/**
 * One tick of the watchdog: sends a heartbeat through the mailbox, before the waiting messages and after the
 * running effect, or fails the incarnation whose heartbeat has had no echo for `stuckMs`. `slackMs` is how
 * late the tick itself was; no actor could echo in that time.
 */
export const sendHeartbeat = (runtime: ActorRuntime, slackMs: number): void => {
  const { behaviour, core, live } = runtime
  if (live === null) return
  const nowMs = core.clock.monotonicMs()
  if (live.beat === null) {
    live.beat = { sentMs: nowMs, at: 'inbox' }
    return wakeActor(runtime)
  }
  const sentMs = live.beat.sentMs + slackMs
  live.beat = { sentMs, at: live.beat.at }
  if (nowMs - sentMs < (behaviour.stuckMs ?? core.stuckMs)) return
  const { running } = live.effects
  const where = running === null ? '' : `, effect ${running.tag}`
  const error = new Error(`no echo in ${nowMs - sentMs} ms${where}`)
  failIncarnation(runtime, live, 'stuck', error, running?.work ?? null)
}
