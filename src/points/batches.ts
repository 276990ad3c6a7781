import type { SourceFile } from '#src/lore/source-file.js'
import type { Batches } from './batch.js'

/** `.svc/pu/batches.jsonl`; null when the repository has none. */
export const parseBatches = (_file: SourceFile | null): Batches => ({ all: [], findings: [] })
