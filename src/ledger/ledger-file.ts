import type { SourceFile } from '#src/lore/source-file.js'
import type { Ledger } from './transition.js'

/** The governance ledger of a works tree: its `governance/ledger/<ref>.jsonl` files and `governance/calendar.json`. */
export const ledgerOf = (_files: ReadonlyArray<SourceFile>, corpus: Ledger['corpus']): Ledger => ({
  corpus,
  transitions: new Map(),
  findings: [],
  calendar: null,
})
