import { workerThreads } from '#src/adapters/worker-thread.js'
import type { OpenThread } from '#src/ports/host.js'
import { FromBuilder, FromRanker, type ToBuilder, type ToRanker } from './tier-messages.js'

/** Twice what 20,000 documents need in wink while its export is read. */
const heapMbMax = 1024

export interface OpenSearchThreads {
  readonly ranker: OpenThread<ToRanker, FromRanker>
  readonly builder: OpenThread<ToBuilder, FromBuilder>
}

/** Opens the search threads of the built daemon. */
export const openSearchThreads: OpenSearchThreads = {
  ranker: workerThreads({ entry: new URL('./rank-thread.js', import.meta.url), says: FromRanker, heapMbMax }),
  builder: workerThreads({
    entry: new URL('./build-thread.js', import.meta.url),
    says: FromBuilder,
    heapMbMax,
  }),
}
