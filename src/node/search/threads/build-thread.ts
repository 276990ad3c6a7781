import { parentPort } from 'node:worker_threads'
import { lowerThreadPriority, lowestNiceness } from '#src/adapters/worker-thread.js'
import { nameSources } from '#src/node/start/checkout.js'
import { serveBuilder } from './serve-builder.js'

/** The entry point of a thread that builds or merges an index. */
nameSources()
if (parentPort === null) throw new Error('this file is the entry of a search thread, not of a process')
lowerThreadPriority(lowestNiceness)
serveBuilder(parentPort)
