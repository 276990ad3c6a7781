import { workerThreads } from '#src/adapters/worker-thread.js'
import type { OpenReader } from '#src/node/readers/readers.js'
import { FromThread } from '#src/snapshot/readers/thread-messages.js'
import { bundleEntry } from '#test/support/bundle-entry.js'

/** Threads of an entry; the first one bundles it. */
const sourceThreads = (entry: URL, name: string, heapMbMax: number): OpenReader => {
  let open: OpenReader | null = null
  return events => {
    open ??= workerThreads({ entry: bundleEntry(entry, name), says: FromThread, execArgv: [], heapMbMax })
    return open(events)
  }
}

/** The reader threads of the daemon, from their sources. */
export const readerThreads = sourceThreads(
  new URL('../../../src/node/readers/reader-thread.ts', import.meta.url),
  'reader-thread',
  512,
)

/** Reader threads with rows that end their thread. */
export const faultyReaders = sourceThreads(
  new URL('./faulty-reader.ts', import.meta.url),
  'faulty-reader',
  128,
)
