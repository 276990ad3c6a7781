import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'
import { Worker } from 'node:worker_threads'
import { isLeft } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import type { OpenThread, ThreadEnd } from '#src/ports/host.js'

/**
 * The young generation of a thread's heap, in MB. At its limit a thread gets 16 MiB more, in which it has to
 * end; a larger young generation moves more than that into the old one at once, and then V8 aborts the whole
 * process.
 */
const youngHeapMbMax = 24

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'

/** Opens threads of this process. They do not keep the process alive. */
export const workerThreads =
  <O, I>({
    entry,
    says,
    execArgv,
    heapMbMax,
  }: {
    readonly entry: URL
    /** Decodes messages of a thread. A thread that sends anything else ends as if it had thrown. */
    readonly says: t.Decoder<unknown, I>
    /** Arguments of node; absent: those of the process. */
    readonly execArgv?: ReadonlyArray<string>
    /**
     * The limit of the old generation of its heap, in MB; a thread that needs more ends, without affecting the
     * process.
     */
    readonly heapMbMax: number
  }): OpenThread<O, I> =>
  events => {
    const worker = new Worker(entry, {
      ...(execArgv === undefined ? {} : { execArgv: [...execArgv] }),
      resourceLimits: { maxOldGenerationSizeMb: heapMbMax, maxYoungGenerationSizeMb: youngHeapMbMax },
    })
    worker.unref()
    let how: ThreadEnd = 'exit'
    let thrown: unknown = null
    let isHeard = true
    worker.on('message', (message: unknown) => {
      if (!isHeard) return
      const decoded = says.decode(message)
      if (!isLeft(decoded)) return events.said(decoded.right)
      isHeard = false
      if (how === 'exit') how = 'error'
      thrown = new Error('a thread sent a message that does not match its codec')
      void worker.terminate()
    })
    worker.on('error', error => {
      if (how === 'exit') how = isOutOfMemory(error) ? 'memory' : 'error'
      thrown = error
    })
    worker.once('exit', () => events.ended(how, thrown))
    return {
      post: (message, ports = []) => worker.postMessage(message, [...ports]),
      end: () => {
        how = 'told'
        void worker.terminate()
      },
    }
  }

/**
 * How much lower than the rest of the process, as `nice` counts: a thread keeps two fifths of the share of an
 * ordinary one, so that it also makes progress on a loaded machine.
 */
const readerNiceness = 4

/** The lowest priority: the thread runs where nothing else wants the processor. */
export const lowestNiceness = 19

/**
 * Lowers the priority of the calling thread, so that the main thread has precedence where processors are
 * short. Linux keeps a priority for each thread and names the thread in `/proc/thread-self`; on other systems
 * this changes nothing.
 */
export const lowerThreadPriority = (niceness = readerNiceness): void => {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), niceness)
  } catch {
    return
  }
}
