import { eventJournal } from '#actors/event-journal/event-journal.js'
import { streams } from '#actors/streams/streams.js'
import { httpMeter } from '#src/adapters/metrics/http-meter.js'
import { prometheus } from '#src/adapters/metrics/prometheus.js'
import { hostRecords } from '#src/boot/records/records.js'
import { readConfig } from '#src/config/read-config.js'
import { openKernel } from '#src/kernel/kernel.js'
import { store } from '#supervisors/store.js'
import { nodeView, testFront } from '#test/support/front.js'

/**
 * A front with a real journal in a process of its own, for measuring its memory. Told `{events, bytes}` it publishes so
 * many events of about that size; told anything else it answers what it holds.
 */

export interface Holds {
  readonly rssBytes: number
  readonly head: number
  readonly slow: number
  readonly clients: number
}

const state = process.argv[2] ?? ''
const metrics = prometheus(() => undefined)
const quiet = (): void => undefined
const records = hostRecords({
  state,
  config: readConfig(null).config,
  bootMs: Date.now(),
  meter: metrics.meter,
  scrub: text => text,
  owed: { before: () => [], paid: quiet },
  warn: quiet,
})
const kernel = openKernel()
const journal = kernel.place(eventJournal)
const recording = kernel.place(streams)
records.attach({ journal: journal.ref, streams: recording.ref })
const tree = kernel.run(
  store,
  { 'event-journal': journal.with(records.events.journal), streams: recording.with(records.streams.work) },
  quiet,
)
await tree.ready
let slow = 0
let clients = 0
const meter = httpMeter(metrics.meter)
const front = await testFront({
  node: nodeView({ events: records.events.feed, logs: records.streams.read }),
  meter: {
    ...meter,
    streamOpened: count => {
      clients = count
    },
    streamEnded: (reason, count) => {
      clients = count
      slow += reason === 'slow' ? 1 : 0
    },
  },
})

const nap = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

const publish = async (events: number, bytes: number): Promise<void> => {
  for (let at = 1; at <= events; at += 1) {
    const detail = 'x'.repeat(bytes)
    records.publish('job:progress', { jobId: 'job', kind: 'bench', done: at, total: events, detail })
    await nap(2)
  }
}

const holds = (): Holds => {
  globalThis.gc?.()
  return { rssBytes: process.memoryUsage().rss, head: records.events.feed.head(), slow, clients }
}

interface Order {
  readonly events?: number
  readonly bytes?: number
}

process.on('message', (order: Order) => {
  void publish(order.events ?? 0, order.bytes ?? 0).then(() => process.send?.(holds()))
})
process.on('disconnect', () => process.exit(0))
process.send?.({ port: front.front.apiPort })
