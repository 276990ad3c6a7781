import { townViewOf } from '#src/domain/fleet/peers.js'
import type { PathClimate } from './climate.js'
import type { SuspicionHost } from './host.js'

const freshProbes = 3
/** A sleep that is longer than this moves the clocks apart, whatever their steps are. */
const shortSleepMs = 3_000

/** Whether the misses that this host counts are the failed probes since the last answer (S8); null where they are. */
export const checkMisses = ({ town, table, misses }: SuspicionHost, peer: string): string | null => {
  const { consecutiveMisses = 0 } = table.records().get(peer) ?? {}
  const failed = misses.get(peer)?.length ?? 0
  return consecutiveMisses === failed
    ? null
    : `${town} counts ${consecutiveMisses} misses of ${peer} for ${failed} failed probes (S8)`
}

/**
 * Whether this host suspects a town by probes of which some are older than a sleep of its machine; null where it does
 * not. A sleep holds the monotonic clock, so the host knows of it only by its other clocks.
 */
export const checkSleep = (
  { pauses, intervalMs }: PathClimate,
  { town, table, misses }: SuspicionHost,
  peer: string,
  nowMs: number,
): string | null => {
  const record = table.records().get(peer)
  const missed = misses.get(peer) ?? []
  const [first] = missed
  if (record === undefined || first === undefined || townViewOf(record, 0).consecutiveMisses === 0)
    return null
  const isUnseen = (pauses.get(town) ?? []).some(({ fromMs, toMs, isSleep }) => {
    const isLong = isSleep && toMs - fromMs > Math.max(shortSleepMs, 0.6 * intervalMs)
    const isInRun = toMs <= nowMs && toMs > first.fromMs
    return isLong && isInRun && missed.filter(miss => miss.fromMs >= toMs).length < freshProbes
  })
  return isUnseen ? `${town} suspects ${peer} by probes from before its sleep (suspicion)` : null
}
