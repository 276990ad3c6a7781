const leastMs = 1_000
const mostMs = 10_000

/** The 99th percentile by nearest rank; null without samples. */
const p99 = (samplesMs: ReadonlyArray<number>): number | null => {
  const sorted = [...samplesMs].sort((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? null
}

/**
 * How long a probe of a town may take: four times the slowest of its last good round trips, from 1 s to 10 s,
 * and longer by the local health score (Lifeguard). A town that never answered gets the most. It is at most
 * the interval of the probes, so a slow town is probed as often as the others.
 */
export const probeTimeoutMs = (
  roundTripsMs: ReadonlyArray<number>,
  healthScore: number,
  intervalMs: number,
): number => {
  const slowestMs = p99(roundTripsMs)
  const ceilingMs = Math.max(leastMs, Math.min(mostMs, intervalMs))
  const base = slowestMs === null ? mostMs : Math.max(leastMs, 4 * slowestMs)
  return Math.min(ceilingMs, base * (1 + healthScore))
}
