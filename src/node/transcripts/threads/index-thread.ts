import { parentPort } from 'node:worker_threads'
import { lowerThreadPriority } from '#src/adapters/worker-thread.js'
import { nameSources } from '#src/node/start/checkout.js'
import { serveIndex } from './serve-index.js'

/** The entry point of the thread of the transcript index. */
nameSources()
if (parentPort === null) throw new Error('this file is the entry of a thread, not of a process')
lowerThreadPriority()
serveIndex(parentPort)
