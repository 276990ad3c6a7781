import { parentPort } from 'node:worker_threads'
import { routes } from '#protocol/routes.js'
import { lowerThreadPriority } from '#src/adapters/worker-thread.js'
import { handlers } from '#src/http/handlers/all.js'
import { nameSources } from '../start/checkout.js'
import { serveReader } from './serve-reader.js'

/** The entry point of a reader thread. */
nameSources()
if (parentPort === null) throw new Error('this file is the entry of a reader thread, not of a process')
lowerThreadPriority()
serveReader(parentPort, routes, handlers)
