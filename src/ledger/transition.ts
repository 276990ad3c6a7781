import type { CommitId } from '#protocol/atoms/commit.js'
import type { Day } from '#protocol/atoms/day.js'

/** One row of `governance/ledger/<ref>.jsonl` (B 2.8), decoded; rows with an unknown op are kept and found (D45). */
export interface Transition {
  readonly ref: string
  readonly seq: number
  readonly date: Day
  readonly instrument_date: Day | null
  readonly date_basis: string
  readonly op: string
  readonly subject: string
  readonly subject_surface: string | null
  readonly act: string | null
  readonly until: string | null
  readonly until_precision: 'day' | 'month' | null
  readonly sieve: string | null
  readonly evidence: ReadonlyArray<{
    readonly post: string
    readonly author: string | null
    readonly quote: string | null
  }>
  readonly source_authority: string | null
  readonly confidence: string | null
  readonly conflicts: ReadonlyArray<string>
  readonly value: string | null
}

export interface LedgerFinding {
  readonly kind: string
  readonly severity: 'error' | 'warning'
  readonly ref: string
  readonly seq: number | null
  readonly reason: string
}

/** The governance ledger of the works tree. `corpus` null: no works tree on the host (B 4.9). */
export interface Ledger {
  readonly corpus: { readonly path: string; readonly commit: CommitId | null } | null
  /** By ref, in replay order: date, then seq. */
  readonly transitions: ReadonlyMap<string, ReadonlyArray<Transition>>
  readonly findings: ReadonlyArray<LedgerFinding>
  /** Lines of `governance/calendar.json`: in-game date by day; null when absent (D45). */
  readonly calendar: ReadonlyMap<string, string> | null
}
