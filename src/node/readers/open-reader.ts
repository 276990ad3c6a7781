import { workerThreads } from '#src/adapters/worker-thread.js'
import type { OpenThread } from '#src/ports/host.js'
import { FromThread } from '#src/snapshot/readers/thread-messages.js'
import type { ToReader } from './reader-messages.js'

/** Eight times the heap of a reader for a world at scale 10 (ADR 1005). */
const heapMbMax = 2048

export type OpenReader = OpenThread<ToReader, FromThread>

/** Opens a reader thread of the built daemon. */
export const openReader: OpenReader = workerThreads({
  entry: new URL('./reader-thread.js', import.meta.url),
  says: FromThread,
  heapMbMax,
})
