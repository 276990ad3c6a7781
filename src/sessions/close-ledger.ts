import type { SourceFile } from '#src/lore/source-file.js'
import type { CloseLedger } from './session.js'

/** `.svc/close/ledger.jsonl`; null when the repository has none. */
export const parseCloseLedger = (_file: SourceFile | null): CloseLedger => ({
  entries: [],
  closed: new Set(),
  distributed: new Set(),
})
