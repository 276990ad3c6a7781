import type { Day } from '#protocol/atoms.js'
import type { RefRow, TransitionRow } from '#protocol/ledger.js'
import type { Ledger, Transition } from './transition.js'

const transitionRowOf = (row: Transition): TransitionRow => ({
  ref: row.ref,
  seq: row.seq,
  date: row.date,
  instrument_date: row.instrument_date,
  date_basis: row.date_basis,
  op: row.op,
  subject: row.subject,
  subject_surface: row.subject_surface,
  act: row.act,
  until: row.until,
  until_precision: row.until_precision,
  sieve: row.sieve,
  evidence: row.evidence,
  source_authority: row.source_authority,
  confidence: row.confidence,
  conflicts: row.conflicts,
  value: row.value,
  de_facto: row.de_facto,
})

/** The transitions of a ref, oldest first, between two days inclusive; null is open. */
export const logOf = (
  ledger: Ledger,
  ref: RefRow,
  since: Day | null,
  until: Day | null,
): ReadonlyArray<TransitionRow> =>
  (ledger.transitions.get(ref.ref) ?? [])
    .filter(row => (since === null || since <= row.date) && (until === null || row.date <= until))
    .map(transitionRowOf)
