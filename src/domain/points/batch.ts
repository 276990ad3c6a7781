import type { RepoPath } from '#protocol/atoms.js'
import type { Finding } from '#src/domain/lore/finding.js'

/**
 * The PU of one character in a batch, as numbers with two decimals (D18); null when the history does not
 * record them.
 */
export interface Award {
  readonly character: string
  readonly granted: number | null
  readonly sumaBefore: number | null
  readonly sumaAfter: number | null
  readonly nadmiarBefore: number | null
  readonly nadmiarAfter: number | null
}

/** One line of `.svc/pu/batches.jsonl` (LAYOUT). `month` is null for legacy runs of several months. */
export interface Batch {
  readonly id: string
  readonly month: string | null
  readonly at: string
  readonly source: 'legacy' | 'batch'
  readonly sessions: ReadonlyArray<string>
  readonly awards: ReadonlyArray<Award>
}

/** The PU ledger, in file order. A session and an award are in one batch at most. */
export interface Batches {
  readonly all: ReadonlyArray<Batch>
  readonly path: RepoPath | null
  /** The ids of all lines, of those too that count for nothing. */
  readonly ids: ReadonlySet<string>
  /** The line of each batch, counted from 1. */
  readonly lines: ReadonlyMap<Batch, number>
  readonly findings: ReadonlyArray<Finding>
}
