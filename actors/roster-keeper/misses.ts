/** Players whom a fetched roster did not have, by `playerKeyText`, with the monotonic time of the fetch in ms. */
export type RosterMisses = ReadonlyMap<string, number>

/** The most misses that are remembered; the oldest are forgotten first. */
export const rosterMissesMax = 10_000

export const hasMiss = (misses: RosterMisses, text: string, ttlMs: number, nowMs: number): boolean => {
  const atMs = misses.get(text)
  return atMs !== undefined && nowMs - atMs < ttlMs
}

/** The misses that still count, and the new ones. */
export const addMisses = (
  misses: RosterMisses,
  texts: ReadonlyArray<string>,
  ttlMs: number,
  nowMs: number,
): RosterMisses => {
  if (ttlMs === 0) return misses
  const next = new Map([...misses].filter(([, atMs]) => nowMs - atMs < ttlMs))
  for (const text of texts) {
    next.delete(text)
    next.set(text, nowMs)
  }
  for (const text of next.keys()) {
    if (next.size <= rosterMissesMax) break
    next.delete(text)
  }
  return next
}
