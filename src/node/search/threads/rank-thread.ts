import { parentPort } from 'node:worker_threads'
import { nameSources } from '#src/node/start/checkout.js'
import { serveRanker } from './serve-ranker.js'

/** The entry point of a thread that ranks a tier. */
nameSources()
if (parentPort === null) throw new Error('this file is the entry of a search thread, not of a process')
serveRanker(parentPort, () => process.exit())
