import type { Strategy } from '#protocol/host/kernel.js'

const backoffFirstMs = 200
const backoffMsMax = 30_000
const jitter = 0.2

/** The pause before a restart: 200 ms · 2^n up to 30 s, give or take 20 %; `chance` in [0, 1). */
export const backoffMs = (streak: number, chance: number): number =>
  Math.round(
    Math.min(backoffMsMax, backoffFirstMs * 2 ** Math.min(streak, 20)) * (1 - jitter + 2 * jitter * chance),
  )

/** Returns the restarts that are still within the window at `nowMs`. */
export const restartsInWindow = (
  restartsAtMs: ReadonlyArray<number>,
  nowMs: number,
  windowMs: number,
): ReadonlyArray<number> => restartsAtMs.filter(atMs => nowMs - atMs < windowMs)

/** Whether the fault of the child at `faulted` also stops the child at `index`. */
export const isAffected = (strategy: Strategy, faulted: number, index: number): boolean => {
  switch (strategy) {
    case 'one_for_one':
      return index === faulted
    case 'rest_for_one':
      return index >= faulted
    case 'one_for_all':
      return true
  }
}
