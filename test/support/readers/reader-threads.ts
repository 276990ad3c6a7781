import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { workerThreads } from '#src/adapters/worker-thread.js'
import type { OpenThread } from '#src/ports/thread.js'
import { FromThread, type ToThread } from '#src/snapshot/readers/thread-messages.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The folder of this process's bundles: below the checkout, so that its packages are found. */
const folder = join(root, 'var', `test-threads-${process.pid}`)

/**
 * Bundles an entry from its sources. A thread that loads one file starts in a tenth of the time that it takes
 * to load hundreds of sources through the TypeScript loader, which each thread needs for itself.
 */
const bundle = (entry: URL, name: string): URL => {
  const outfile = join(folder, `${name}.mjs`)
  mkdirSync(folder, { recursive: true })
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  buildSync({
    entryPoints: [fileURLToPath(entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    conditions: ['source'],
    logLevel: 'error',
  })
  return pathToFileURL(outfile)
}

/** Threads of an entry; the first one bundles it. */
const sourceThreads = (entry: URL, name: string, heapMbMax: number): OpenThread<ToThread, FromThread> => {
  let open: OpenThread<ToThread, FromThread> | null = null
  return events => {
    open ??= workerThreads({ entry: bundle(entry, name), says: FromThread, execArgv: [], heapMbMax })
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
