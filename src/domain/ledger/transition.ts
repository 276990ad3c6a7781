import type { CommitId } from '#protocol/atoms.js'
import type { LedgerFinding, TransitionRow } from '#protocol/ledger.js'

/**
 * One accepted row of `governance/ledger/<ref>.jsonl` (B 2.8), with every field; rows with an unknown op are
 * kept (D45).
 */
export interface Transition extends TransitionRow {
  /**
   * Whether a higher source says otherwise on the same matter and day: the row is recorded there and not
   * applied (B 4.9).
   */
  readonly overruled: boolean
  readonly file: string
  /** Counted from 1. */
  readonly line: number
}

/** The governance ledger of the works tree. `corpus` null: the host has no works tree (B 4.9). */
export interface Ledger {
  readonly corpus: { readonly path: string; readonly commit: CommitId | null } | null
  /** By ref, in replay order: date, then seq. */
  readonly transitions: ReadonlyMap<string, ReadonlyArray<Transition>>
  readonly findings: ReadonlyArray<LedgerFinding>
  /** In-game date by day, from `governance/calendar.json`; null when absent (D45). */
  readonly calendar: ReadonlyMap<string, string> | null
}
