import type { Files } from './lore-text.js'

/** Lore that makes reading a repository slow or large; `files(n, seed)` scales it. */
export interface LoadWorld {
  readonly what: string
  /** A size at which quadratic work would show, and linear work takes less than a second. */
  readonly n: number
  readonly files: (n: number, seed: number) => Files
}
