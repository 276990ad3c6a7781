import type { Entropy } from '#src/kernel/entropy.js'

/**
 * Deterministic entropy for tests: the same seed gives the same numbers (mulberry32) and ids `<seed>-1`,
 * `<seed>-2`, …
 */
export const entropyFromSeed = (seed: number): Entropy => {
  let state = seed >>> 0
  let count = 0
  return {
    chance: () => {
      state = (state + 0x6d2b79f5) >>> 0
      let mixed = Math.imul(state ^ (state >>> 15), state | 1)
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
    },
    id: () => {
      count += 1
      return `${seed}-${count}`
    },
  }
}
