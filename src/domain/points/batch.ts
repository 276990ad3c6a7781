import type { Finding } from '#src/domain/lore/finding.js'

/**
 * PU of one character in a batch, decimals as text-exact numbers of two places (D18); null where history
 * does not tell.
 */
export interface Award {
  readonly character: string
  readonly granted: number | null
  readonly sumaBefore: number | null
  readonly sumaAfter: number | null
  readonly nadmiarBefore: number | null
  readonly nadmiarAfter: number | null
}

/**
 * One line of `.svc/pu/batches.jsonl` (LAYOUT). `month` is null on legacy runs that spanned
 * several.
 */
export interface Batch {
  readonly id: string
  readonly month: string | null
  readonly at: string
  readonly source: 'legacy' | 'batch'
  readonly sessions: ReadonlyArray<string>
  readonly awards: ReadonlyArray<Award>
}

/** The PU ledger, in file order. */
export interface Batches {
  readonly all: ReadonlyArray<Batch>
  readonly findings: ReadonlyArray<Finding>
}
