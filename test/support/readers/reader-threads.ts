import { workerThreads } from '#src/adapters/worker-thread.js'
import type { OpenThread } from '#src/ports/thread.js'
import type { FromThread, ToThread } from '#src/readers/thread-messages.js'

/** A thread does not inherit the loader of TypeScript: it gets one before its entry. */
const loader = `import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))}; register()`
const execArgv = ['--conditions=source', `--import=data:text/javascript,${encodeURIComponent(loader)}`]

const sourceThreads = (entry: URL, heapMbMax: number): OpenThread<ToThread, FromThread> =>
  workerThreads({ entry, execArgv, heapMbMax })

/** The reader threads of the daemon, from their sources. */
export const readerThreads = sourceThreads(
  new URL('../../../src/boot/readers/reader-thread.ts', import.meta.url),
  512,
)

/** Readers with rows that end their thread. */
export const faultyReaders = sourceThreads(new URL('./faulty-reader.ts', import.meta.url), 128)
