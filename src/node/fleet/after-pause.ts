import type { PeerWatcherPorts } from '#actors/peer-watcher.js'
import type { KernelClock } from '#src/kernel/time/clock.js'
import type { Meter } from '#src/ports/records.js'
import type { Log } from '../records/log.js'
import type { PeerTable } from './peer-table.js'

/** How long a probe waits for the converge after a pause; the converge itself may take longer. */
const convergeWaitMs = 20_000

export interface AfterPauseSetup {
  readonly clock: Pick<KernelClock, 'after'>
  readonly table: Pick<PeerTable, 'pause' | 'healthScore'>
  readonly meter: Pick<Meter, 'count' | 'gauge'>
  readonly log: Pick<Log, 'warn'>
  /** Converges once. Never rejects. */
  readonly converge: () => Promise<void>
}

/** Converges after a pause. The watchers that find the same pause share one converge and count it once. */
export const afterPause = ({
  clock,
  table,
  meter,
  log,
  converge,
}: AfterPauseSetup): PeerWatcherPorts['paused'] => {
  let running: Promise<void> | null = null
  const wait = (): Promise<void> =>
    new Promise(resolve => {
      clock.after(convergeWaitMs, resolve)
    })
  return ({ pauseMs, sleepMs }) => {
    if (running !== null) return running
    table.pause()
    meter.count('svc_fleet_pauses_total', {})
    meter.gauge('svc_fleet_local_health_score', {}, table.healthScore())
    log.warn('host_paused', { pauseMs: Math.round(pauseMs), sleepMs: Math.round(sleepMs) })
    running = Promise.race([converge(), wait()]).finally(() => {
      running = null
    })
    return running
  }
}
