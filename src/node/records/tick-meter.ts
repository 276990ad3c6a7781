import type { FleetWorkload } from '#protocol/config.js'
import type { Meter } from '#src/ports/records.js'

/** A tick of this host, as its metrics name it. */
export type TickName = FleetWorkload | 'converge' | 'dispatch'

/**
 * Returns the function that measures the ticks of one name where they end. The overruns begin at 0, so that a rate
 * sees the first one.
 */
export const tickMeter = (
  meter: Pick<Meter, 'count' | 'observe'>,
  tick: TickName,
  budgetMs: number,
): ((elapsedMs: number) => void) => {
  meter.count('svc_tick_overruns_total', { tick }, 0)
  return elapsedMs => {
    meter.observe('svc_tick_duration_seconds', { tick }, elapsedMs / 1_000)
    if (elapsedMs > budgetMs) meter.count('svc_tick_overruns_total', { tick })
  }
}
