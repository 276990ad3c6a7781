import type { Files } from './lore-text.js'

/** Lore that makes reading a repository slow or large: `files(n, seed)` has `n` of what hurts. */
export interface LoadWorld {
  readonly what: string
  /** A size at which a square would show, and a line takes less than a second. */
  readonly n: number
  readonly files: (n: number, seed: number) => Files
}
